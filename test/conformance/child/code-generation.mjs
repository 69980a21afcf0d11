// Denies `eval` and the constructors of functions to all but the suite and its tools, which V8's flag would hit too.
// With PEER_NO_CODEGEN only the development compiler may, besides these.
// It does not see node:vm.
import { fileURLToPath } from 'node:url'

const { PEER_NO_CODEGEN: denied, PEER_CACHE_DIR: tools, PEER_TEST_FILE: testFile } = process.env
const self = fileURLToPath(import.meta.url)
const compiler = fileURLToPath(new URL('../../../compiler/dist/development.cjs', import.meta.url))

// The files of esm/ import through a function that they generate.
if (denied && !testFile.startsWith('esm/')) {
  const kinds = [function () {}, async () => {}, function* () {}, async function* () {}]
  for (const kind of kinds) {
    const prototype = Object.getPrototypeOf(kind)
    Object.defineProperty(prototype, 'constructor', { value: guard(prototype.constructor) })
  }
  globalThis.Function = Function.prototype.constructor
  // oxlint-disable-next-line no-eval -- it is denied here
  globalThis.eval = guard(globalThis.eval)
}

function guard(generator) {
  return new Proxy(generator, {
    apply(_target, self, args) {
      check()
      return Reflect.apply(generator, self, args)
    },
    construct(_target, args, newTarget) {
      check()
      return Reflect.construct(generator, args, newTarget)
    },
  })
}

function check() {
  const files = callers()
  if (files[0]?.startsWith(`${tools}/`)) return
  const caller = files.find((file) => !file.includes('/node_modules/'))
  if (caller === compiler) return
  throw new EvalError(`code generated from a string by ${caller ?? files[0]}`)
}

/** Files on the stack, innermost first, without Node's own and this one. */
function callers() {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.prepareStackTrace = (_error, sites) => sites
  Error.stackTraceLimit = Infinity
  const sites = new Error().stack
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return sites
    .map((site) => site.getFileName())
    .filter((file) => typeof file === 'string' && !file.startsWith('node:'))
    .map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file))
    .filter((file) => file !== self)
}
