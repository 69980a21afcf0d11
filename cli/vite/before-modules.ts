/** Requests that Vite would answer with the source of a module, because it finds modules without their extension. */
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import type { Connect, ViteDevServer } from 'vite'
import type { Builds } from './builds.ts'

/**
 * Creates a handler that runs before Vite's own. It passes `GET /orders` to the application although there is a module `orders.js`. Scripts of a
 * page get the module.
 */
export function beforeModules(
  { config: { root, base } }: ViteDevServer,
  builds: Builds,
  serve: Connect.NextHandleFunction,
): Connect.NextHandleFunction {
  return (request, response, next) => {
    const stem = stemOf(request)
    if (stem === undefined) return next()
    builds.latest.then(({ read }) => {
      const isModule = read.some(
        (file) => file.startsWith(stem) && AFTER_STEM.test(file.slice(stem.length)),
      )
      if (isModule) serve(request, response, next)
      else next()
    }, next)
  }

  /** Returns the path in the root, without an extension, if Vite would look for a module there. */
  function stemOf({ method, url = '', headers }: IncomingMessage): string | undefined {
    const [pathname = ''] = url.split('?')
    const isForVite = headers['sec-fetch-dest'] === 'script' || pathname.startsWith(`${base}@`)
    if (method !== 'GET' || isForVite || !pathname.startsWith(base)) return undefined
    const name = pathname.slice(base.length)
    return name === '' || /\/$|\.[^/]*$/.test(name) ? undefined : path.join(root, name)
  }
}

const AFTER_STEM = /^(?:[/\\]index)?\.\w+$/
