import type { OnDiagnostic, ResolvedApp, ResolvedOptions } from '../model/index.ts'
import { warning } from '../report/errors.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { displayPath } from '../util/paths.ts'

/** Warns if the installed fast-json-stringify keeps Fastify, or else `framework/fastify`, from using the serializers. */
export function reportUnusableSerializers(
  { units }: ResolvedApp,
  { serializers, entry, root }: ResolvedOptions,
  report: OnDiagnostic,
): void {
  if (![...units.values()].some(({ kind }) => kind === 'serializer')) return
  const { unlike, older } = serializers
  const at = { file: displayPath(entry, root), line: 0, column: 0 }
  if (unlike !== undefined) report(warning('AOT_SERIALIZERS_UNLIKE', at, unlike))
  // Where Fastify serves, `framework` is a development dependency.
  if (older !== undefined && 'framework' in (packageJsonIn(root).dependencies ?? {}))
    report(warning('AOT_SERIALIZERS_OLDER', at, older))
}
