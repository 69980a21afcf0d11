/** Formats the results of checking rules. */
import type { Manifest } from '../../compiler/index.ts'
import { checkRules, type Finding } from '../rules/index.ts'
import { loadRules } from '../rules/load.ts'
import { groupBy } from '../../compiler/util/group-by.ts'
import { plural } from '../../compiler/util/quantities.ts'
import type { Outcome } from '../output.ts'
import { placeOf } from './annotations.ts'
import { annotated, type CheckOutput, type freshnessOutcome } from './check.ts'
import { listText } from './problems.ts'
import { table } from './table.ts'

/**
 * @param path the rules file
 * @param freshness the outcome to join, if the artifact is checked too
 */
export async function rulesOutcome(
  path: string,
  manifest: Manifest,
  shown: CheckOutput,
  freshness?: ReturnType<typeof freshnessOutcome>,
): Promise<Outcome> {
  const file = await loadRules(path, shown.root)
  const findings = 'problem' in file ? [] : checkRules(manifest, file)
  const diagnostics = 'problem' in file ? [file.problem] : findings
  const rules = 'problem' in file ? [] : Object.keys(file.set.rules)
  const ofRules = diagnostics.map(({ code, message, at, ...one }) => ({
    rule: 'rule' in one ? String(one.rule) : code,
    level: 'error' as const,
    message,
    ...placeOf(`${at.file}:${at.line}:${at.column}`),
  }))
  const broken = new Set(findings.map(({ rule }) => rule)).size
  const texts = [
    freshness?.problems,
    ...('problem' in file ? [listText([file.problem])] : []),
    ...(broken > 0 ? [findingsText(findings, shown)] : []),
    broken > 0 &&
      `${plural(findings.length, 'problem')} with ${broken} of ${plural(rules.length, 'rule')}.`,
  ]
  const isKept = diagnostics.length === 0
  const reports = [
    freshness?.report,
    isKept && `${plural(rules.length, 'rule')} ${rules.length === 1 ? 'holds' : 'hold'}.`,
  ]
  const annotations = [...(freshness?.annotations ?? []), ...ofRules]
  return {
    ok: isKept && freshness?.ok !== false,
    result: {
      ...freshness?.result,
      ...(!('problem' in file) && { rules: { file: file.name, checked: rules, broken: findings } }),
    },
    diagnostics,
    problems: texts.filter(Boolean).join('\n\n'),
    report: reports.filter(Boolean).join('\n\n'),
    ...annotated(
      annotations,
      Object.fromEntries(annotations.map(({ rule }) => [rule, rule])),
      shown,
    ),
  }
}

/** Lists routes by the rule that they break. */
function findingsText(findings: readonly Finding[], { paint }: CheckOutput): string {
  const groups = groupBy(findings, ({ rule }) => rule)
  const texts = [...groups].map(([rule, all]) => {
    const routes = all.filter(({ code }) => code === 'AOT_RULE_BROKEN')
    const rows = routes.map(({ route = '', reason = '', at }) => {
      const place = paint('cyan', `${at.file}:${at.line}:${at.column}`)
      return reason === '' ? [route, place] : [route, place, reason]
    })
    const others = all.filter(({ code }) => code !== 'AOT_RULE_BROKEN')
    return [
      paint('bold', rule),
      ...table(rows),
      ...(others.length > 0 ? [listText(others)] : []),
    ].join('\n')
  })
  return texts.join('\n\n')
}
