// Runs in a deployment that is started to fill its compile cache.
//
// Node keeps of a file what V8 has compiled by the time that it has read it: of most functions nothing, as they are compiled when
// they are called first. When the deployment listens, those that a start calls have been. If a file is read again then, V8
// gives what it has, with these functions, and Node keeps that. Therefore the cache is not switched on before.
//
// ES modules are read once: Node keeps them as they are, when the deployment is started with its cache.
const loader = process.getBuiltinModule('node:module') as unknown as {
  readonly constants: { readonly compileCacheStatus: { readonly DISABLED: number } }
  enableCompileCache: (...args: unknown[]) => unknown
  flushCompileCache: () => void
  new (id: string): NodeJS.Module
}
const v8 = process.getBuiltinModule('node:v8')
const { existsSync, readdirSync } = process.getBuiltinModule('node:fs')
const { dirname, extname, join, sep } = process.getBuiltinModule('node:path')

const { enableCompileCache } = loader
loader.enableCompileCache = () => ({ status: loader.constants.compileCacheStatus.DISABLED })
// V8 lets go of what is not called for a while.
v8.setFlagsFromString('--no-flush-bytecode')

process.getBuiltinModule('node:diagnostics_channel').subscribe('framework.listening', () => {
  // What is kept is for processes without that flag.
  v8.setFlagsFromString('--flush-bytecode')
  loader.enableCompileCache = enableCompileCache
  const stub = process.mainModule?.filename
  if (stub !== undefined) {
    Reflect.deleteProperty(require.cache, stub)
    require(stub)
    const folder = dirname(stub)
    const loaded = Object.keys(require.cache).filter((file) => file.startsWith(folder + sep))
    for (const file of new Set([...loaded, ...lateFiles(folder)])) {
      if (file !== stub) read(file)
    }
    loader.flushCompileCache()
  }
  process.exit(0)
})

/** What is loaded when it is needed, as functions by the first request that calls one: of these Node keeps where functions stand. */
function lateFiles(folder: string): string[] {
  return [folder, join(folder, 'chunks')]
    .filter((one) => existsSync(one))
    .flatMap((one) => readdirSync(one).map((name) => join(one, name)))
    .filter((file) => /\.c?js$/.test(file))
}

/** Has Node read a file without running it: before it does that, it asks for what the file exports so far. */
function read(file: string): void {
  const isRead = new Error('It has been read')
  const module = Object.defineProperty(new loader(file), 'exports', {
    get() {
      throw isRead
    },
  })
  const { extensions } = require
  const load = extensions[extname(file) as '.js'] ?? extensions['.js']
  try {
    load(module, file)
  } catch (error) {
    if (error !== isRead) throw error
  }
}
