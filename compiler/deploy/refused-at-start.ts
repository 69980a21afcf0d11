/** Warns about calls that Workers refuse while they start. */
import { readFileSync } from 'node:fs'
import { ts } from '#typescript'
import { parse } from '../util/source/parse.ts'
import type { CallAtStart, Diagnostic, ResolvedOptions } from '../model/index.ts'
import { warning } from '../report/errors.ts'
import { byCauseAndPlace } from '../report/order.ts'
import { displayPath, packageNameOf } from '../util/paths.ts'

interface Start {
  /** The first request can load the entry with all modules. */
  readonly canLoadLate: boolean
  /** The first request runs the statements of the entry. */
  readonly isEntryMoved: boolean
  /** `--late-boot` is given. */
  readonly bootsLate: boolean
}

/** @param calls calls of the booted application */
export function refusedAtStart(
  calls: readonly CallAtStart[],
  { entry, root }: Pick<ResolvedOptions, 'entry' | 'root'>,
  { canLoadLate, isEntryMoved, bootsLate }: Start,
): readonly Diagnostic[] {
  const canWait = ({ at }: CallAtStart): boolean =>
    canLoadLate || (isEntryMoved && at.file === entry) || !isOutsideFunctions(at)
  return calls
    .map((call) => ({ ...call, isPostponed: canWait(call) }))
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
