/**
 * What has to be done by hand for Fastify to be in a start-up snapshot: Node's modules for servers are in none, so they are loaded
 * when the process starts, and a server that is made before gets then what it was told.
 */

/** The module that has to come first; it exports `started`, a promise. */
export const lateModulesSource = `
const late = new Map()
const servers = []
let isStarted = false
const real = (name) => process.getBuiltinModule(name)
const METHODS = JSON.parse(process.argv[2])
// Node lets go of a channel that nobody keeps, and no snapshot holds what waits for that.
globalThis.kept = real('node:diagnostics_channel').channel('fastify.initialization')

function lateServer(args) {
  const calls = []
  let server
  const stub = new Proxy({}, {
    get(_, name) {
      if (server) return typeof server[name] === 'function' ? server[name].bind(server) : server[name]
      if (name === 'listening') return false
      return (...given) => (calls.push((one) => one[name](...given)), stub)
    },
    set(_, name, value) {
      if (server) server[name] = value
      else calls.push((one) => (one[name] = value))
      return true
    },
  })
  servers.push(() => {
    server = real('node:http').createServer(...args)
    for (const call of calls) call(server)
  })
  return stub
}

function lateModule(name) {
  const createServer = (...args) => (isStarted ? real(name).createServer(...args) : lateServer(args))
  return new Proxy({ METHODS, createServer }, {
    get(target, key) {
      if (isStarted) return real(name)[key]
      return (target[key] ??= new Proxy(function late() {}, {
        construct: (_, args, from) => Reflect.construct(real(name)[key], args, from),
        apply: (_, self, args) => Reflect.apply(real(name)[key], self, args),
      }))
    },
  })
}

globalThis.lateRequire = (given) => {
  const name = given.replace(/^node:/, '')
  if (!['http', 'https', 'http2', 'tls'].includes(name)) return real(name)
  if (!late.has(name)) late.set(name, lateModule(name))
  return late.get(name)
}

export const started = new Promise((resolve) => {
  real('node:v8').startupSnapshot.setDeserializeMainFunction(() => {
    isStarted = true
    for (const start of servers) start()
    resolve()
  })
})
`

/** To be put in front of a bundle, whose modules ask for those of Node. */
export const LATE_REQUIRE = 'require = (name) => globalThis.lateRequire(name);'

/** Makes what `build` of a file gives ready, and lets it listen when the process starts. */
export function lateMainSource(modules: string, file: string): string {
  return `import { started } from ${JSON.stringify(modules)}
import { build } from ${JSON.stringify(file)}
const app = build()
app
  .ready()
  .then(() => started)
  .then(() => app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }))
  .then(() => process.stdout.write(\`Listening at http://127.0.0.1:\${app.server.address().port}\\n\`))
`
}
