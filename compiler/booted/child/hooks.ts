/** Module hooks for the ES modules of a recorded application. They run in Node's thread for hooks. */
import { readFileSync } from 'node:fs'
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { transform } from 'esbuild'
import { isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { isServerName } from '../../util/server-name.ts'
import { isApplication } from './places.ts'
import { sourceFileOf, transformOptions } from './sources.ts'

let loadedFiles: MessagePort

/** @param files gets the path of every file of the application that an import loads */
export const initialize: InitializeHook<{ readonly files: MessagePort }> = ({ files }) => {
  loadedFiles = files
}

export const resolve: ResolveHook = (specifier, context, next) => {
  const { parentURL, conditions } = context
  if (isServerName(specifier))
    return { url: recordedModule(specifier, parentURL), shortCircuit: true }
  if (parentURL?.startsWith('file:')) {
    const file = sourceFileOf(specifier, fileURLToPath(parentURL), conditions)
    if (file !== undefined) {
      const query = /[?#].*$/.exec(specifier)?.[0] ?? ''
      return { url: pathToFileURL(file).href + query, shortCircuit: true }
    }
  }
  return next(specifier, context)
}

/** Returns the URL of a module that replaces the package: its factory records declarations. */
function recordedModule(specifier: string, importer: string | undefined): string {
  const source = `const server = globalThis[Symbol.for('framework.record')](${JSON.stringify(specifier)}, ${JSON.stringify(importer)})
export default server
export const { errorCodes } = server
export { server as fastify, server as framework }
`
  return `data:text/javascript,${encodeURIComponent(source)}`
}

export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:')) return next(url, context)
  const file = fileURLToPath(url)
  if (isApplication(file)) loadedFiles.postMessage(file)
  if (file.endsWith('.json') && isApplication(file)) {
    // TypeScript and bundlers accept JSON imports without an attribute.
    return { format: 'json', source: readFileSync(file), shortCircuit: true }
  }
  if (!isTypeScript(file)) return next(url, context)
  // Without source, Node loads CommonJS with `require`, which `require.ts` extends.
  if (moduleKindOf(file) === 'commonjs')
    return { format: 'commonjs', source: undefined, shortCircuit: true }
  const { code } = await transform(readFileSync(file, 'utf8'), transformOptions(file, 'esm'))
  return { format: 'module', source: code, shortCircuit: true }
}
