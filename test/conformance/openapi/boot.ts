/**
 * Boots a published application on the Fastify that it has installed, and sends the document that its @fastify/swagger
 * writes: `boot.js <name> <folder>`, forked. Nothing of its source is changed.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { applications, type Application } from './applications.ts'

interface Instance {
  ready(): Promise<unknown>
  addHook(name: 'onRegister', hook: (child: Instance) => void): void
  addHook(name: 'onReady' | 'onClose', hook: (...args: readonly never[]) => Promise<void>): void
  readonly swagger?: () => object
}

type Factory = (...args: readonly unknown[]) => Instance

const [, , name, folder = ''] = process.argv
const application = applications.find((one) => one.name === name) as Application
const require = createRequire(join(folder, 'package.json'))
/** Each with when it has booted by itself. */
const roots = new Map<Instance, Promise<void>>()
const instances = new Set<Instance>()

noteInstances()
application.prepare?.(require)
const { entry, compiled = entry, factory } = application
const module = (await import(pathToFileURL(join(folder, compiled)).href)) as Module
if (factory !== undefined) await note(await functionOf(module, factory)()).ready()
else await Promise.all(roots.values())
const document = [...instances].find(({ swagger }) => swagger !== undefined)?.swagger?.()
process.send?.(document ?? null, () => process.exit(0))

type Module = Readonly<Record<string, unknown>> & { readonly default?: Module }

/** An export of an ES module, or of CommonJS that was compiled from one. */
function functionOf(exports: Module, wanted: string): () => Promise<Instance> {
  return (exports[wanted] ?? exports.default?.[wanted]) as () => Promise<Instance>
}

/** What calls Fastify gets what it makes; the plugin may be in a context of it. */
function noteInstances(): void {
  const original = require('fastify') as Factory
  const wrapped: Factory = (...args) => note(original(...args))
  Object.assign(wrapped, original, { default: wrapped, fastify: wrapped })
  const loaded = require.cache[require.resolve('fastify')]
  if (loaded === undefined) throw new Error('Fastify is not loaded')
  loaded.exports = wrapped
}

function note(root: Instance): Instance {
  if (roots.has(root)) return root
  instances.add(root)
  root.addHook('onRegister', (child) => void instances.add(child))
  const booted = new Promise<void>((resolve) => {
    for (const name of ['onReady', 'onClose'] as const) root.addHook(name, async () => resolve())
  })
  roots.set(root, booted)
  return root
}
