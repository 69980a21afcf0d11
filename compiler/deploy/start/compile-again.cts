// Preloaded into a deployment to fill its compile cache.
//
// Node caches the code that V8 has compiled by the time a file is loaded. That's without most functions, because V8 compiles them
// when they're first called. So this program reads the files again once the deployment listens: V8 then returns its code with all
// functions that a start calls. The cache is disabled until then.
//
// ES modules can't be read again. The deployment is started a second time to cache them, as they are after loading.
const loader = process.getBuiltinModule('node:module') as unknown as {
  readonly constants: { readonly compileCacheStatus: { readonly DISABLED: number } }
  enableCompileCache: (...args: unknown[]) => unknown
  new (id: string): NodeJS.Module
}
const v8 = process.getBuiltinModule('node:v8')
const { existsSync, readdirSync } = process.getBuiltinModule('node:fs')
const { dirname, extname, join, sep } = process.getBuiltinModule('node:path')

const { enableCompileCache } = loader
loader.enableCompileCache = () => ({ status: loader.constants.compileCacheStatus.DISABLED })
// Keeps V8 from discarding functions that haven't been called for a while.
v8.setFlagsFromString('--no-flush-bytecode')

process.getBuiltinModule('node:diagnostics_channel').subscribe('framework.listening', () => {
  // The cache is rejected by processes with other flags.
  v8.setFlagsFromString('--flush-bytecode')
  loader.enableCompileCache = enableCompileCache
  const main = process.mainModule?.filename
  if (main !== undefined) {
    // Only enables the cache: the bundle that the main file loads stays in `require.cache`, so it doesn't run again.
    Reflect.deleteProperty(require.cache, main)
    require(main)
    const folder = dirname(main)
    const loaded = Object.keys(require.cache).filter((file) => file.startsWith(folder + sep))
    for (const file of new Set([...loaded, ...filesOnDemand(folder)])) {
      if (file !== main) compile(file)
    }
  }
})

/** Finds the files of code that requests load, such as validators and serializers. */
function filesOnDemand(folder: string): string[] {
  return [folder, join(folder, 'chunks')]
    .filter((one) => existsSync(one))
    .flatMap((one) => readdirSync(one).map((name) => join(one, name)))
    .filter((file) => /\.c?js$/.test(file))
}

/** Compiles a file without running it: throws when Node reads `exports`, which it does just before it runs a file. */
function compile(file: string): void {
  const stop = new Error('The file is compiled')
  const module = Object.defineProperty(new loader(file), 'exports', {
    get() {
      throw stop
    },
  })
  const { extensions } = require
  const load = extensions[extname(file) as '.js'] ?? extensions['.js']
  try {
    load(module, file)
  } catch (error) {
    if (error !== stop) throw error
  }
}
