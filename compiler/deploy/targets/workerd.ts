import { MAIN_FILE } from '../places.ts'
import { OWN } from '../own.ts'
import { asMain, exportsOf } from './entry.ts'
import { onNode } from './environment.ts'
import { injectByFetch } from './inject.ts'
import type { Contents, Platform } from './platform.ts'

/** What the runtime and its files need: the oldest day on which workerd has all of it. */
const compatibility = { date: '2026-05-01', flags: ['nodejs_compat'] }

/** Cloudflare Workers, and workerd by itself. */
export const workerd: Platform = {
  conditions: ['workerd', 'worker', 'browser'],
  schemes: ['cloudflare:', 'workerd:'],
  format: 'es',
  instead: {
    ...injectByFetch,
    // For browsers it is a function that throws; there are Node's modules for the other one.
    '/ws/browser.js': "module.exports = require('./index.js')",
  },
  isSystem: false,
  apart: 'modules',
  hasConnections: () => false,
  lacks: [
    'child_process',
    'cluster',
    'dgram',
    'http2',
    'inspector',
    'repl',
    'sqlite',
    'test',
    'vm',
    'wasi',
    'worker_threads',
  ],
  environment: onNode(() => '"/bundle"'),
  prelude: (entry) => `import { takeListening } from '${OWN}runtime'
export const listening = takeListening(${!entry.bootsLate}, (app) => ({ app }))
${asMain(entry)}`,
  main: (entry) => `import framework from 'framework'
import { toFetch } from 'framework/fetch'
import { workerOf } from '${OWN}runtime'
import { listening } from '${OWN}prelude'
import * as entry from ${JSON.stringify(entry.file)}
${exportsOf(entry)}export default await workerOf({
  entry,
  start: ${JSON.stringify(entry.start)},
  listening,
  bootsAtStart: ${!entry.bootsLate},
  create: framework,
  toFetch,
})
`,
  settings: (contents) => ({
    'config.capnp': configOf(contents),
    'wrangler.jsonc': wranglerOf(contents),
  }),
  start: (out) => `npx workerd serve ${out}/config.capnp`,
}

/** Without the last one, workerd compiles all modules when a Worker starts. */
function flagsFor(late: readonly string[]): readonly string[] {
  return [...compatibility.flags, ...(late.length > 0 ? ['new_module_registry'] : [])]
}

/** For workerd by itself. What the application reads are modules too: workerd has no other files. */
function configOf({ code, late, assets }: Contents): string {
  // The first module is the Worker's own.
  const files = [MAIN_FILE, ...code.filter((file) => file !== MAIN_FILE)]
  const modules = [
    ...files.map((file) => ({ file, kind: 'esModule' })),
    ...assets.map((file) => ({ file, kind: 'data' })),
  ].map(({ file, kind }) => `      (name = ${text(file)}, ${kind} = embed ${text(file)}),`)
  // A Worker that is a constant of its own would be copied into this one.
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
${modules.join('\n')}
    ],
    compatibilityDate = ${text(compatibility.date)},
    compatibilityFlags = [${flagsFor(late).map(text).join(', ')}],
  ))],
  sockets = [(name = "http", address = "*:8787", http = (), service = "main")],
);
`
}

/** For Cloudflare's tool, which is to bundle nothing. */
function wranglerOf({ name, late }: Contents): string {
  const settings = {
    name:
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'application',
    main: MAIN_FILE,
    no_bundle: true,
    rules: [
      // Its own rule for data would hold for other files than these.
      { type: 'Data', globs: ['files/**'], fallthrough: false },
      { type: 'ESModule', globs: ['*.js'] },
    ],
    compatibility_date: compatibility.date,
    compatibility_flags: flagsFor(late),
    upload_source_maps: true,
  }
  return `${JSON.stringify(settings, null, 2)}\n`
}

function text(value: string): string {
  return JSON.stringify(value)
}
