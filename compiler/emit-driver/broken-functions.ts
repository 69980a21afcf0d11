import { whatOf } from '../3-resolve/explain/index.ts'
import { distinctSites } from './index.ts'
import { diagnostic } from '../report/errors.ts'
import type { Digest, Report, ResolvedApp } from '../model/index.ts'

/** Reports functions that fail where code generation is disallowed. @param reasons errors of the smoke test */
export function reportBroken(
  reasons: ReadonlyMap<Digest, string>,
  app: ResolvedApp,
  report: Report,
): void {
  for (const [digest, reason] of reasons) {
    for (const binding of distinctSites(app, digest)) {
      report(diagnostic('AOT_FUNCTION_BROKEN', binding.at, whatOf(binding), reason))
    }
  }
}
