/** Module hooks in a thread of Node, for releases without hooks in the application's own thread. */
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import type { MessagePort } from 'node:worker_threads'
import { hooksPipe } from '../messages.ts'
import { javascriptOf } from './javascript.ts'
import { loadModule, namedByPackage, resolveImport, type LoadedFile } from './module-hooks.ts'

let port: MessagePort

function send(message: LoadedFile): void {
  port.postMessage(message)
}

/** @param files gets every file of the application that an import loads */
export const initialize: InitializeHook<{ readonly files: MessagePort }> = ({ files }) => {
  port = files
}

export const resolve: ResolveHook = (specifier, context, next) => {
  const named = namedByPackage(specifier, context.parentURL)
  if (named !== undefined) send({ file: named, isNamed: true })
  return resolveImport(specifier, context.parentURL, context.conditions) ?? next(specifier, context)
}

export const load: LoadHook = (url, context, next) =>
  loadModule(
    url,
    // Without source, Node loads CommonJS with `require`, which `require.ts` extends.
    (file, kind) => (kind === 'module' ? javascriptOf(hooksPipe, file, 'esm') : undefined),
    (file) => send({ file, isNamed: false }),
  ) ?? next(url, context)
