/** Makes the application's modules load as the scan reads them, and notes its files. */
import module, { createRequire } from 'node:module'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { mainPipe } from '../messages.ts'
import type { Recording } from '../recording.ts'
import { javascriptOf } from './javascript.ts'
import { loadModule, namedByPackage, resolveImport, type LoadedFile } from './module-hooks.ts'
import { isApplication } from './places.ts'
import { extendRequire } from './require.ts'
import type { Factory } from './server.ts'

type LoadedFiles = Pick<Recording, 'files' | 'namedFiles'>

/** Node 20 and early releases of Node 22 run module hooks in a thread. */
const needsThread = !('registerHooks' in module)

/** @returns lists the loaded files of the application, of both module systems */
export function installHooks(
  record: (specifier: string, importer: string) => Factory,
): () => LoadedFiles {
  const files = new Set<string>()
  const named = new Set<string>()
  const note = (one: LoadedFile): void => void (one.isNamed ? named : files).add(one.file)
  const update = needsThread ? installInThread(note) : installHere(note)
  extendRequire(record, (file) => named.add(file))
  const { cache } = createRequire(import.meta.url)
  return () => {
    update?.()
    const required = Object.keys(cache).filter(isApplication)
    return { files: [...new Set([...files, ...required])], namedFiles: [...named] }
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

function installHere(note: (one: LoadedFile) => void): void {
  const { registerHooks } = module as unknown as { registerHooks(hooks: SyncHooks): void }
  registerHooks({
    // `require` is extended separately.
    resolve: (specifier, context, next) => {
      const { conditions, parentURL } = context
      if (conditions.includes('require')) return next(specifier, context)
      const file = namedByPackage(specifier, parentURL)
      if (file !== undefined) note({ file, isNamed: true })
      return resolveImport(specifier, parentURL, conditions) ?? next(specifier, context)
    },
    load: (url, context, next) =>
      loadModule(
        url,
        (file, kind) => javascriptOf(mainPipe, file, kind === 'module' ? 'esm' : 'cjs'),
        (file) => note({ file, isNamed: false }),
      ) ?? next(url, context),
  })
}

/** Returns a function that notes the files loaded since. */
function installInThread(note: (one: LoadedFile) => void): () => void {
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  module.register(new URL('./hooks.js', import.meta.url), {
    data: { files: port2 },
    transferList: [port2],
  })
  return () => {
    for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1))
      note((next as { message: LoadedFile }).message)
  }
}
