/** Checks the rules of an application against the manifest of a build. */
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import type { Diagnostic, SourceLocation } from '../../compiler/model/index.ts'
import { closest } from '../../compiler/report/closest.ts'
import { diagnostic } from '../../compiler/report/errors.ts'
import { placeIn } from '../../compiler/util/stack.ts'
import { names, readyMade } from './ready-made.ts'
import { routeFor } from './route.ts'
import type { Rule, RuleSet } from '../../compiler/model/rules.ts'
import { brokenBy } from './unknown.ts'

/** A broken rule, or one that can't be checked. */
export interface Finding extends Diagnostic {
  readonly rule: string
  /** `GET /books`; undefined if it isn't about one route. */
  readonly route: string | undefined
  /** Why the route breaks it, as far as the rule says so. */
  readonly reason: string | undefined
}

export interface RulesFile {
  /** Absolute. */
  readonly path: string
  /** Relative to the root. */
  readonly name: string
  readonly text: string
  readonly set: RuleSet
}

/** Returns the findings in the order of the rules, then of the routes. */
export function checkRules(manifest: Manifest, file: RulesFile): readonly Finding[] {
  const { rules, exceptions = {} } = file.set
  const used = new Set<string>()
  const findings: Finding[] = []
  for (const [name, value] of Object.entries(rules)) {
    const rule = typeof value === 'function' ? value : readyMade(name, value)
    if (rule === undefined) {
      const hint = closest(name, names)[0] ?? names.join('", "')
      findings.push(found('AOT_RULE_UNKNOWN', name, undefined, placeOf(file, name), hint))
      continue
    }
    const seen = new Set<string>()
    for (const route of manifest.routes) {
      const title = `${route.method} ${route.url}`
      const broken = check(manifest, route, name, rule, file)
      if (broken === undefined) continue
      const exception = [title, `* ${route.url}`].find((one) => exceptions[name]?.[one])
      if (exception !== undefined) {
        used.add(JSON.stringify([name, exception]))
        continue
      }
      // The HEAD route of a GET route mostly breaks the same rules for the same reason.
      const key = `${route.at} ${broken.reason}`
      if (!(route.isTwin && seen.has(key))) findings.push(broken)
      seen.add(key)
      // The mistake is that of the rule: other routes would only repeat it.
      if (broken.code === 'AOT_RULE_FAILS') break
    }
    if (name !== 'no-dynamic') continue
    for (const { message, at } of manifest.dynamic)
      findings.push(found('AOT_RULE_BROKEN', name, undefined, located(at), 'The build', message))
  }
  for (const [rule, routes] of Object.entries(exceptions)) {
    for (const [route, reason] of Object.entries(routes)) {
      const at = placeOf(file, route)
      if (typeof reason !== 'string' || reason.trim() === '')
        findings.push(found('AOT_RULE_EXCEPTION_WITHOUT_REASON', rule, route, at))
      else if (!used.has(JSON.stringify([rule, route])))
        findings.push(found('AOT_RULE_EXCEPTION_UNUSED', rule, route, at))
    }
  }
  return findings
}

function check(
  manifest: Manifest,
  route: Route,
  name: string,
  rule: Rule,
  file: RulesFile,
): Finding | undefined {
  const title = `${route.method} ${route.url}`
  try {
    const reason = brokenBy((run) => {
      const result: unknown = rule(routeFor(manifest, route, run))
      if (typeof result === 'string') return result
      if (typeof result === 'boolean') return result ? undefined : ''
      const kind = result instanceof Promise ? 'a promise' : String(result)
      throw new TypeError(`it returns ${kind}, not a boolean or a text`)
    })
    if (reason === undefined) return undefined
    return found('AOT_RULE_BROKEN', name, title, located(route.at), title, reason)
  } catch (error) {
    const place = placeOfError(error, file) ?? placeOf(file, name)
    const reason = error instanceof Error ? error.message : String(error)
    return found('AOT_RULE_FAILS', name, title, place, title, reason)
  }
}

type Code = Extract<Parameters<typeof diagnostic>[0], `AOT_RULE_${string}`>

function found(
  code: Code,
  rule: string,
  route: string | undefined,
  at: SourceLocation,
  ...args: readonly string[]
): Finding {
  const given = code.startsWith('AOT_RULE_EXCEPTION') ? [route ?? ''] : args
  const create = diagnostic as (code: Code, at: SourceLocation, ...all: string[]) => Diagnostic
  const reason = code === 'AOT_RULE_BROKEN' ? args[1] : undefined
  return { ...create(code, at, rule, ...given), rule, route, reason }
}

/** Returns the place of a name in the rules file, or its start. */
function placeOf({ name: file, text }: RulesFile, name: string): SourceLocation {
  const before = text.slice(0, Math.max(0, text.indexOf(name))).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function placeOfError(error: unknown, { path, name }: RulesFile): SourceLocation | undefined {
  if (!(error instanceof Error)) return undefined
  const places = (error.stack ?? '').split('\n').map(placeIn)
  const place = places.find((one) => one?.file === path)
  return place && { file: name, line: place.line, column: place.column }
}

function located(at: string): SourceLocation {
  const [, file = at, line = '0', column = '0'] = /^(.*):(\d+):(\d+)$/.exec(at) ?? []
  return { file, line: Number(line), column: Number(column) }
}
