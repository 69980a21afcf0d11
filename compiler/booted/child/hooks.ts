/** Module hooks in a thread of Node, for releases without hooks in the application's own thread. */
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import type { MessagePort } from 'node:worker_threads'
import { hooksPipe } from '../messages.ts'
import { javascriptOf } from './javascript.ts'
import { loadModule, resolveImport } from './module-hooks.ts'

let loadedFiles: MessagePort

/** @param files gets the path of every file of the application that an import loads */
export const initialize: InitializeHook<{ readonly files: MessagePort }> = ({ files }) => {
  loadedFiles = files
}

export const resolve: ResolveHook = (specifier, context, next) =>
  resolveImport(specifier, context.parentURL, context.conditions) ?? next(specifier, context)

export const load: LoadHook = (url, context, next) =>
  loadModule(
    url,
    // Without source, Node loads CommonJS with `require`, which `require.ts` extends.
    (file, kind) => (kind === 'module' ? javascriptOf(hooksPipe, file, 'esm') : undefined),
    (file) => loadedFiles.postMessage(file),
  ) ?? next(url, context)
