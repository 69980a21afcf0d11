/** Warns about calls that Workers refuse while they start. */
import { readFileSync } from 'node:fs'
import { ts } from '#typescript'
import { parse } from '../1-scan/parse.ts'
import type { CallAtStart, Diagnostic, ResolvedOptions } from '../model/index.ts'
import { warning } from '../report/errors.ts'
import { byCauseAndPlace } from '../report/order.ts'
import { displayPath, packageNameOf } from '../util/paths.ts'

/**
 * @param calls those that the booted application has made
 * @param loadsLate whether the first request could load the entry
 * @param bootsLate whether it boots the application
 */
export function refusedAtStart(
  calls: readonly CallAtStart[],
  { root }: Pick<ResolvedOptions, 'root'>,
  { loadsLate, bootsLate }: { readonly loadsLate: boolean; readonly bootsLate: boolean },
): readonly Diagnostic[] {
  return calls
    .map((call) => ({ ...call, isPostponed: loadsLate || !isOutsideFunctions(call.at) }))
    .filter(({ isPostponed }) => !isPostponed || !bootsLate)
    .map(({ what, at: { file, line, column }, isPostponed }) => {
      const place = { file: displayPath(file, root), line, column }
      return warning('AOT_REFUSED_AT_START', place, what, packageNameOf(file), isPostponed)
    })
    .sort(byCauseAndPlace)
}

/** Returns whether a place is code that runs when its module is loaded. */
function isOutsideFunctions({ file, line, column }: CallAtStart['at']): boolean {
  const text = readFileSync(file, 'utf8')
  const before = text.split('\n').slice(0, line - 1)
  const position = before.join('\n').length + column
  const source = parse(file, text)
  let node: ts.Node | undefined = source
  while (node !== undefined) {
    if (ts.isFunctionLike(node)) return false
    node = ts.forEachChild(node, (child) =>
      child.pos <= position && position < child.end ? child : undefined,
    )
  }
  return true
}
