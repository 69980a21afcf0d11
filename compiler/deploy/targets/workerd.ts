import { workerEvents } from '../../../runtime/deployed/worker-events.ts'
import { compiledName, MAIN_FILE } from '../deployment-paths.ts'
import { VIRTUAL } from '../virtual.ts'
import { asMain, hostedMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Contents, Platform } from './platform.ts'
import { injectWithoutServerResponse } from './web.ts'
import {
  firstDates,
  redirectTo,
  type WranglerSettings,
  wranglerSettings,
} from './wrangler-settings.ts'

// `wrangler` on Node 20 knows dates until 2026-05-03. With the second flag, the logger works while a Worker starts.
const compatibility = {
  date: '2026-05-01',
  flags: ['nodejs_compat', 'diagnostics_channel_has_subscribers_getter'],
}

const environment = onNode('"/bundle"', 'workerd')

/** Code that ends the start of a Worker with an old compatibility date, before other code fails. */
const checkDate = `if(!globalThis.process?.argv)throw Object.assign(new Error("FST_ERR_DEPLOY_COMPATIBILITY_DATE: The Worker needs a \`compatibility_date\` of ${firstDates.process} or later and the flag \`nodejs_compat\`. Without a wrangler configuration of your own, that of the deployment has both."),{code:"FST_ERR_DEPLOY_COMPATIBILITY_DATE"});`

/** Cloudflare Workers, and workerd on its own. */
export const workerd: Platform = {
  conditions: ['workerd', 'worker', 'browser'],
  prefersNode: true,
  schemes: ['cloudflare:', 'workerd:'],
  format: 'es',
  replacedModules: {
    ...injectWithoutServerResponse,
    '/sonic-boom/index.js': (code) =>
      `${code}\nmodule.exports = require('${VIRTUAL}deployed').toConsole(module.exports)`,
    // The version for browsers throws; the other one works with workerd's Node modules.
    '/ws/browser.js': "module.exports = require('./index.js')",
    // `createReadStream` of workerd takes no `null` for the default.
    '/@fastify/send/lib/send.js': (code) =>
      code.replace(
        'highWaterMark: options.highWaterMark,',
        'highWaterMark: options.highWaterMark ?? 65536,',
      ),
  },
  hasProcesses: false,
  replacesFolder: true,
  calls: ['fetch', ...workerEvents],
  onDemand: 'modules',
  refusesAtStart: true,
  runsEntry: true,
  importsFiles: true,
  hasConnections: () => false,
  hasWebSockets: true,
  unsupportedModules: [
    'child_process',
    'cluster',
    'dgram',
    'http2',
    'inspector',
    'repl',
    'sea',
    'sqlite',
    'test',
    'vm',
    'wasi',
    'worker_threads',
  ],
  unsupportedPackages: { '@fastify/under-pressure': 'perf_hooks.monitorEventLoopDelay' },
  environment: {
    ...environment,
    intro: (code, format) =>
      (/\bprocess\b/.test(code) ? checkDate : '') + environment.intro(code, format),
  },
  loadLogger: () =>
    `() => require('${VIRTUAL}deployed').loadWorkerLogger(() => require('pino'), '${firstDates.logger}')`,
  prelude: (entry) => `import { interceptListen, observeRefusals } from '${VIRTUAL}deployed'
export const refusals = observeRefusals()
export const listening = interceptListen(${!entry.bootsLate}, (app) => ({ app }))
${asMain(entry)}`,
  main: (
    entry,
  ) => `${hostedMain(entry, 'workerOf', 'listening, refusals')}export default await workerOf({
  ...options,
  refusals,
  bootsAtStart: ${!entry.bootsLate},
})
`,
  configFiles: (contents) => ({
    'config.capnp': configOf(contents),
    'wrangler.jsonc': wranglerOf(contents),
    'index.d.ts': typesOf(contents),
  }),
  projectFiles: redirectTo,
  startCommand: (out) => `npx workerd serve ${out}/config.capnp`,
}

/** Without `new_module_registry`, workerd compiles all modules when a Worker starts. */
function flagsFor(
  onDemand: readonly string[],
  { compatibility_flags: own = [] }: WranglerSettings,
): readonly string[] {
  const needed = [...compatibility.flags, ...(onDemand.length > 0 ? ['new_module_registry'] : [])]
  return [...new Set([...needed, ...own])]
}

/** Returns the configuration of workerd itself. Assets are modules too: `/bundle` consists of the modules. */
function configOf({ code, onDemand, assets, root, out }: Contents): string {
  const settings = wranglerSettings(root, out)
  const { compatibility_date: date = compatibility.date } = settings
  // The first module is the main module.
  const files = [MAIN_FILE, ...code.filter((file) => file !== MAIN_FILE)]
  const modules = [
    ...files.map((file) => ({ file, kind: isWebAssembly(file) ? 'wasm' : 'esModule' })),
    ...assets.map((file) => ({ file, kind: 'data' })),
  ].map(({ file, kind }) => `      (name = ${text(file)}, ${kind} = embed ${text(file)}),`)
  // The Worker is written inline, because a separate constant would be copied.
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
${modules.join('\n')}
    ],
    compatibilityDate = ${text(date)},
    compatibilityFlags = [${flagsFor(onDemand, settings).map(text).join(', ')}],
    bindings = [${Object.entries(settings.vars ?? {})
      .map(toBinding)
      .join(', ')}],
  ))],
  sockets = [(name = "http", address = "*:8787", http = (), service = "main")],
);
`
}

/** Returns a variable for workerd, which has texts and JSON. */
function toBinding([name, value]: [string, unknown]): string {
  const isText = typeof value === 'string'
  const content = isText ? `text = ${text(value)}` : `json = ${text(JSON.stringify(value))}`
  return `(name = ${text(name)}, ${content})`
}

/** Returns the configuration of Cloudflare's wrangler, which must not bundle anything: the application's own, with the program of the deployment. */
function wranglerOf({ applicationName, code, onDemand, root, out }: Contents): string {
  const own = wranglerSettings(root, out)
  const settings = {
    name:
      applicationName
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'application',
    compatibility_date: compatibility.date,
    upload_source_maps: true,
    ...own,
    main: MAIN_FILE,
    no_bundle: true,
    rules: [
      // The default rule for data matches other files than these.
      { type: 'Data', globs: ['files/**'], fallthrough: false },
      { type: 'ESModule', globs: ['*.js'] },
      ...(code.some(isWebAssembly) ? [{ type: 'CompiledWasm', globs: ['*.wasm'] }] : []),
    ],
    compatibility_flags: flagsFor(onDemand, own),
  }
  return `${JSON.stringify(settings, null, 2)}\n`
}

/** Returns the declarations of the main file: `wrangler types` reads them for bindings to classes of the entry. */
function typesOf({ exports, entry }: Contents): string {
  const names = exports.filter((name) => name !== 'default')
  const from = entry === undefined ? undefined : text(compiledName(entry))
  const others =
    from === undefined || names.length === 0 ? '' : `export { ${names.join(', ')} } from ${from}\n`
  return `${others}declare const worker: { fetch(request: Request, ...more: any[]): Promise<Response>; [handler: string]: any }
export default worker
`
}

function isWebAssembly(file: string): boolean {
  return file.endsWith('.wasm')
}

function text(value: string): string {
  return JSON.stringify(value)
}
