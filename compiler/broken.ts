import { whatOf } from './3-resolve/explain.ts'
import { tryOut } from './5-bundle/try-out.ts'
import type { UserModules } from './5-bundle/user-modules.ts'
import { distinctSites, type emitAll } from './emission/index.ts'
import { diagnostic } from './report/errors.ts'
import type { Report, ResolvedApp } from './model.ts'

/** Tries what this build has compiled, and reports each function that cannot work where code is not generated. */
export async function reportBroken(
  app: ResolvedApp,
  { packed, reused }: Awaited<ReturnType<typeof emitAll>>,
  userModules: UserModules,
  report: Report,
): Promise<void> {
  const fresh = packed.filter(({ digest }) => !reused.has(digest))
  for (const [digest, reason] of await tryOut(fresh, app.units, userModules)) {
    for (const binding of distinctSites(app, digest)) {
      report(diagnostic('AOT_FUNCTION_BROKEN', binding.at, whatOf(binding), reason))
    }
  }
}
