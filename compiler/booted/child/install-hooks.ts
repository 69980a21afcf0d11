/** Makes the application's modules load as the scan reads them, and notes its files. */
import module, { createRequire } from 'node:module'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { mainPipe } from '../messages.ts'
import { javascriptOf } from './javascript.ts'
import { loadModule, resolveImport } from './module-hooks.ts'
import { isApplication } from './places.ts'
import { extendRequire } from './require.ts'
import type { Factory } from './server.ts'

/** Node 20 and early releases of Node 22 run module hooks in a thread. */
const needsThread = !('registerHooks' in module)

/** @returns lists the loaded files of the application, of both module systems */
export function installHooks(
  record: (specifier: string, importer: string) => Factory,
): () => string[] {
  const files = new Set<string>()
  const update = needsThread ? installInThread(files) : installHere(files)
  extendRequire(record)
  const { cache } = createRequire(import.meta.url)
  return () => {
    update?.()
    return [...new Set([...files, ...Object.keys(cache).filter(isApplication)])]
  }
}

interface SyncHooks {
  resolve(
    specifier: string,
    context: { readonly conditions: readonly string[]; readonly parentURL?: string },
    next: (specifier: string, context: object) => unknown,
  ): unknown
  load(url: string, context: object, next: (url: string, context: object) => unknown): unknown
}

function installHere(files: Set<string>): void {
  const { registerHooks } = module as unknown as { registerHooks(hooks: SyncHooks): void }
  registerHooks({
    // `require` is extended separately.
    resolve: (specifier, context, next) =>
      (context.conditions.includes('require')
        ? undefined
        : resolveImport(specifier, context.parentURL, context.conditions)) ??
      next(specifier, context),
    load: (url, context, next) =>
      loadModule(
        url,
        (file, kind) => javascriptOf(mainPipe, file, kind === 'module' ? 'esm' : 'cjs'),
        (file) => files.add(file),
      ) ?? next(url, context),
  })
}

/** Returns a function that adds the files loaded since. */
function installInThread(files: Set<string>): () => void {
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  module.register(new URL('./hooks.js', import.meta.url), {
    data: { files: port2 },
    transferList: [port2],
  })
  return () => {
    for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1))
      files.add(String((next as { message: unknown }).message))
  }
}
