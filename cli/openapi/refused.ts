import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import type { Diagnostic, SourceLocation } from '../../compiler/model/index.ts'
import { diagnostic } from '../../compiler/report/errors.ts'

/**
 * Explains an error of @fastify/swagger, which names neither a route nor a member: writes each route alone, then without one of the
 * members that only the document uses (`about`), such as `security`.
 *
 * @param write writes the document of a manifest, and throws the error
 */
export function explainRefusal(
  error: unknown,
  manifest: Manifest,
  write: (manifest: Manifest) => unknown,
): readonly Diagnostic[] {
  const reasonFor = (...routes: readonly Route[]): string | undefined => {
    try {
      write({ ...manifest, routes })
      return undefined
    } catch (reason) {
      return String(reason)
    }
  }
  const ofRoutes = manifest.routes.flatMap((route) => {
    const reason = reasonFor(route)
    if (reason === undefined) return []
    const { about = {} } = route.schema ?? {}
    const member = Object.keys(about).find((name) => reasonFor(without(route, name)) === undefined)
    const name = `${member === undefined ? '' : `\`${member}\` of `}${route.method} ${route.url}`
    return [diagnostic('AOT_OPENAPI_FAILS', placeOf(route.at), name, reason, member === 'security')]
  })
  if (ofRoutes.length > 0 && reasonFor() === undefined) return ofRoutes
  const at = placeOf(manifest.documentation?.at ?? '')
  return [diagnostic('AOT_OPENAPI_FAILS', at, 'the application', String(error), false)]
}

function without(route: Route, name: string): Route {
  const { parts = {}, responses = {}, about = {} } = route.schema ?? {}
  const { [name]: _, ...others } = about
  return { ...route, schema: { parts, responses, about: others } }
}

function placeOf(at: string): SourceLocation {
  const [, file = at, line = 0, column = 0] = /^(.*):(\d+):(\d+)$/.exec(at) ?? []
  return { file, line: Number(line), column: Number(column) }
}
