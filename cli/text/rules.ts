/** Formats the results of checking rules. */
import { relative } from 'node:path'
import type { Manifest } from '../../compiler/index.ts'
import { checkRules, type Finding } from '../../compiler/rules/index.ts'
import { loadRules } from '../../compiler/rules/load.ts'
import { groupBy } from '../../compiler/util/group-by.ts'
import { plural } from '../../compiler/util/quantities.ts'
import type { Outcome } from '../output.ts'
import type { Annotation } from './annotations.ts'
import { annotated, type CheckOutput } from './check.ts'
import { listText } from './problems.ts'
import { table } from './table.ts'

/** @param path the rules file */
export async function rulesOutcome(
  path: string,
  manifest: Manifest,
  shown: CheckOutput,
): Promise<RulesOutcome> {
  const file = await loadRules(path, shown.root)
  if ('problem' in file) {
    const { problem } = file
    return { ok: false, diagnostics: [problem], problems: listText([problem]), annotations: [] }
  }
  const findings = checkRules(manifest, file)
  const rules = Object.keys(file.set.rules)
  const broken = new Set(findings.map(({ rule }) => rule)).size
  const result = {
    rules: {
      file: relative(shown.root, path).replaceAll('\\', '/'),
      checked: rules,
      broken: findings,
    },
  }
  const annotations = findings.map(({ rule, message, at }) => ({
    rule,
    level: 'error' as const,
    message,
    file: at.file,
    line: Math.max(1, at.line),
    column: Math.max(1, at.column),
  }))
  const ok = findings.length === 0
  const report = `${plural(rules.length, 'rule')} ${rules.length === 1 ? 'holds' : 'hold'}.`
  const count = `${plural(findings.length, 'problem')} with ${broken} of ${plural(rules.length, 'rule')}.`
  return {
    ok,
    result,
    diagnostics: findings,
    ...(ok ? { report } : { problems: `${findingsText(findings, shown)}\n\n${count}` }),
    ...annotated(annotations, titlesOf(annotations), shown),
    annotations,
  }
}

interface RulesOutcome extends Outcome {
  readonly annotations: readonly Annotation[]
}

/** Joins the outcome of the freshness with that of the rules. */
export function bothOutcomes(
  freshness: Outcome & { readonly annotations?: readonly Annotation[] },
  rules: RulesOutcome,
  shown: CheckOutput,
): Outcome {
  const all = [...(freshness.annotations ?? []), ...rules.annotations]
  const join = (key: 'problems' | 'report'): string =>
    [freshness[key], rules[key]].filter((one) => typeof one === 'string' && one !== '').join('\n\n')
  return {
    ok: freshness.ok && rules.ok,
    result: { ...freshness.result, ...rules.result },
    diagnostics: rules.diagnostics ?? [],
    problems: join('problems'),
    report: join('report'),
    ...annotated(all, titlesOf(all), shown),
  }
}

function titlesOf(annotations: readonly Annotation[]): Readonly<Record<string, string>> {
  return Object.fromEntries(annotations.map(({ rule }) => [rule, rule]))
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
