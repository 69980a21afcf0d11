/** Temporary folders, and files in them. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A test, a file of tests or a process: something that ends. */
export interface Lasting {
  after(end: () => void | Promise<void>): void
}

/** This process. */
export const thisProcess: Lasting = { after: (end) => void process.once('exit', end) }

/** Creates a folder that exists for as long as `t` lasts. */
export function temporaryFolder(t: Lasting): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'framework-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
}

/** Writes files by their paths. Objects become JSON. */
export function writeAll(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
    writeFileSync(join(folder, name), text)
  }
}
