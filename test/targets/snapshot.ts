/** A deployment that is started from its snapshot, by the Node.js that runs the tests. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { App, Engine, RunningApp } from '../support/engines.ts'
import { Lanes } from '../support/engines.ts'
import { startFolder } from '../support/start-folder.ts'
import { commandFile } from '../support/command-file.ts'

/** The same while the snapshot is taken and when it is started, so that it is the snapshot that serves. */
const variables = { PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' }

/** Tells nothing of what hooks have noted: whoever could ask is not in the snapshot. */
export const deployedSnapshot: Engine = {
  name: 'deployed-snapshot',
  flags: () => [],
  start: async (app) => startSnapshot(app, await takeSnapshot(app)),
}

/** Gives the folder; rejects with what the command says when the application cannot be in a snapshot. */
async function takeSnapshot({ source }: App): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-snapshot-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const out = join(folder, 'application')
  const args = ['deploy', source, '--target', 'node', '--out', out, '--snapshot']
  await promisify(execFile)(process.execPath, [commandFile, ...args], {
    cwd: dirname(source),
    env: { ...process.env, ...variables },
  })
  return out
}

async function startSnapshot({ source, generatesCode }: App, folder: string): Promise<RunningApp> {
  const flags = [
    ...(generatesCode ? [] : ['--disallow-code-generation-from-strings']),
    '--snapshot-blob',
    join(folder, 'snapshot.blob'),
  ]
  const how = { node: process.execPath, flags }
  const server = await startFolder(folder, dirname(source), variables, how)
  if (server.output().includes('FrameworkSnapshot')) throw new Error(server.output())
  const lanes = new Lanes(server.port)
  return {
    send: (request, id, lane) => lanes.send(request, id, lane),
    inject: () => Promise.reject(new Error('Nothing is injected from outside')),
    sendRaw: (request) => lanes.sendRaw(request),
    journal: () => Promise.resolve([]),
    close: async () => {
      lanes.close()
      await server.stop('SIGTERM')
      return []
    },
  }
}
