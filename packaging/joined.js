/**
 * The programs of the compiler, joined to a few files: each of three hundred modules that Node loads costs half a
 * millisecond of every command. They lie in a folder of their own, and find everything that is no program from where it was.
 */
import { basename, dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What is started by itself, by its name in the folder. */
const programs = {
  cli: 'dist/cli/main.js',
  index: 'dist/compiler/index.js',
  builder: 'dist/compiler/watch/builder.js',
  thread: 'dist/compiler/emit-driver/thread.js',
  'try-out-child': 'dist/compiler/5-bundle/try-out-child.js',
}

const folder = 'dist/joined'

const names = new Map(Object.entries(programs).map(([name, file]) => [resolve(file), name]))

/** How a module says which other one is to be started. */
const START = /new URL\('(\.[\w./-]+\.js)', import\.meta\.url\)/g

const places = {
  name: 'places',
  transform: (code, id) =>
    code.replace(START, (url, file) => {
      const name = names.get(resolve(dirname(id), file))
      return name === undefined ? url : `new URL('./${name}.js', import.meta.joined)`
    }),
  resolveImportMeta(property, { moduleId }) {
    const place = JSON.stringify(relative(folder, moduleId).replaceAll('\\', '/'))
    switch (property) {
      case 'url':
        return `new URL(${place},import.meta.url).href`
      case 'filename':
        return `process.getBuiltinModule('node:url').fileURLToPath(new URL(${place},import.meta.url))`
      case 'joined':
        return 'import.meta.url'
      case 'resolve':
        return null
      default:
        throw new Error(`${basename(moduleId)}: import.meta.${property} is not known here`)
    }
  },
}

/** Packages that are CommonJS: for an import, Node searches them for the names that they export, which takes longer than to load them. */
const REQUIRED = /^(?:#draft-07|#typescript|(?:ajv|ajv-formats|esbuild|fast-uri)(?:\/|$))/
const PREFIX = '\0required:'

const required = {
  name: 'required',
  resolveId: (id) => (REQUIRED.test(id) ? PREFIX + id : null),
  load(id) {
    if (!id.startsWith(PREFIX)) return null
    const name = JSON.stringify(id.slice(PREFIX.length))
    const code = `import { createRequire } from 'node:module'
export const members = createRequire(import.meta.joined)(${name})
export default members`
    return { code, syntheticNamedExports: 'members' }
  },
}

const DIGEST = resolve('dist/compiler/cache/compiler-digest.js')

/** Which compiler this is, found out once: it reads all that is joined here. */
const known = {
  name: 'known',
  async load(id) {
    if (id !== DIGEST) return null
    const { compilerDigest } = await import(pathToFileURL(DIGEST))
    return `export const compilerDigest = () => ${JSON.stringify(compilerDigest())}`
  },
}

export const joined = {
  input: programs,
  plugins: [required, known, places],
  external: (id) => !/^(?:[./\0]|[A-Za-z]:)/.test(id) && !REQUIRED.test(id),
  moduleContext: () => 'globalThis',
  output: {
    dir: folder,
    format: 'es',
    chunkFileNames: '[name].js',
    generatedCode: 'es2015',
  },
}
