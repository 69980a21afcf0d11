/** Files: those of the deployment are part of the snapshot, others belong to one machine and one moment. */
import { fault, watch, whenRead } from './building.ts'

/** They leave something open, or change what is there. */
const opens =
  /^(?:open|opendir|createReadStream|createWriteStream|watch|watchFile|write|append|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|symlink|link|truncate|chmod|chown|utimes|ReadStream|WriteStream)/
/** They take what has been opened, or nothing at all. */
const innocent = /^(?:f[a-z]+(?:Sync)?|close|closeSync|read|readSync|readv|readvSync|_.*|[A-Z].*)$/

/**
 * @param out where the deployment will lie: what the application takes for its folder
 * @param folder where it lies while the snapshot is taken
 * @param own files that it reads itself, and closes
 */
export function watchFiles(out: string, folder: string, own: ReadonlySet<string>): void {
  const fs = process.getBuiltinModule('node:fs')
  watchAll(fs, 'fs')
  whenRead(fs, 'promises', (promises: object) => watchAll(promises, 'fs.promises'))

  function watchAll(object: object, prefix: string): void {
    for (const name of Object.keys(object)) {
      if (innocent.test(name) && !opens.test(name)) continue
      watch(object, name, (args) => {
        const [first, ...rest] = args
        const file = pathOf(first)
        if (file === undefined) return undefined
        const inside = file === out || file.startsWith(`${out}/`)
        const isOwn = inside && own.has(file.slice(out.length + 1))
        if (!inside || (!isOwn && opens.test(name))) fault('file', `${prefix}.${name}('${file}')`)
        return inside ? [folder + file.slice(out.length), ...rest] : undefined
      })
    }
  }
}

function pathOf(value: unknown): string | undefined {
  if (value instanceof URL || (typeof value === 'string' && value.startsWith('file:'))) {
    return process.getBuiltinModule('node:url').fileURLToPath(value)
  }
  if (typeof value === 'string') return process.getBuiltinModule('node:path').resolve(value)
  return Buffer.isBuffer(value) ? value.toString() : undefined
}
