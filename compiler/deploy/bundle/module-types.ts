/**
 * Imports of files that aren't code, by wrangler's rules for their names.
 *
 * @see https://developers.cloudflare.com/workers/wrangler/bundling/
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'rollup'
import type { FindModule } from './find-module.ts'

const TEXT = /\.(?:txt|html|sql)$/
const DATA = /\.bin$/
const WEB_ASSEMBLY = /\.wasm(?:\?module)?$/

/** Texts and bytes become modules of code. WebAssembly becomes a file of its own, because the platform compiles it. */
export function moduleTypes(find: FindModule): Plugin {
  const emitted = new Set<string>()
  return {
    name: 'framework-module-types',
    resolveId(specifier, importer) {
      if (importer === undefined || !WEB_ASSEMBLY.test(specifier)) return null
      const file = find(specifier.replace(/\?module$/, ''), importer, false)
      if (file === undefined) return null
      const source = readFileSync(file)
      const digest = createHash('sha256').update(source).digest('hex').slice(0, 8)
      const fileName = `${path.basename(file, '.wasm')}-${digest}.wasm`
      if (!emitted.has(fileName)) this.emitFile({ type: 'asset', fileName, source })
      emitted.add(fileName)
      // Chunks lie beside the file.
      return { id: `./${fileName}`, external: 'absolute' }
    },
    load(id) {
      if (TEXT.test(id)) return `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`
      if (!DATA.test(id)) return null
      const text = readFileSync(id).toString('base64')
      return `export default Uint8Array.from(atob('${text}'), (one) => one.charCodeAt(0)).buffer`
    },
  }
}
