import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { deploy, type DeployResult } from '../../compiler/deploy/index.ts'
import { startServer, type Server } from './start-server.ts'

/** Deploys `app.js` to Node, moves the deployment into another folder and starts it there, without code generation. */
export async function startElsewhere(
  folder: string,
  elsewhere: string,
): Promise<{ readonly deployed: DeployResult; readonly server: Server }> {
  const out = join(folder, 'out')
  const deployed = await deploy({ entry: join(folder, 'app.js'), target: 'node', out })
  assert.deepEqual(deployed.diagnostics, [])
  const moved = join(elsewhere, 'shop')
  renameSync(out, moved)
  const { NODE_ENV: _, ...env } = process.env
  const args = ['--disallow-code-generation-from-strings', moved]
  const server = await startServer(process.execPath, args, { cwd: elsewhere, env })
  return { deployed, server }
}
