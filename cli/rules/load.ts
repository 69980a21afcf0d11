/** Finds and loads the file with an application's rules. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { importCode } from '../../compiler/3-resolve/import-value.ts'
import type { Diagnostic } from '../../compiler/model/index.ts'
import { diagnostic } from '../../compiler/report/errors.ts'
import { packageJsonIn } from '../../compiler/util/package-json.ts'
import { displayPath, isFile } from '../../compiler/util/paths.ts'
import type { RulesFile } from './index.ts'
import type { RuleSet } from '../../compiler/model/rules.ts'

const extensions = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'] as const

/** Returns the rules file of a folder: the one that package.json names by `framework.rules`, or `framework.rules.js`. */
export function findRules(root: string): string | undefined {
  const { framework } = packageJsonIn(root) as { readonly framework?: { readonly rules?: unknown } }
  if (typeof framework?.rules === 'string') return resolve(root, framework.rules)
  return extensions.map((one) => join(root, `framework.rules.${one}`)).find(isFile)
}

export async function loadRules(
  path: string,
  root: string,
): Promise<RulesFile | { readonly problem: Diagnostic }> {
  const name = displayPath(path, root)
  const invalid = (reason: string): { readonly problem: Diagnostic } => ({
    problem: diagnostic('AOT_RULES_INVALID', { file: name, line: 0, column: 0 }, reason),
  })
  if (!isFile(path)) return invalid('there is no such file')
  let exported: unknown
  try {
    exported = await importDefault(path)
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error))
  }
  if (!isRuleSet(exported)) return invalid('its default export is not the result of `defineRules`')
  return { path, name, text: readFileSync(path, 'utf8'), set: exported }
}

async function importDefault(path: string): Promise<unknown> {
  const code = readFileSync(path, 'utf8')
  // Node keeps modules by their URL.
  const { default: value } = path.endsWith('ts')
    ? await importCode(code, path, 'ts')
    : ((await import(`${pathToFileURL(path).href}?${digestOf(code)}`)) as Record<string, unknown>)
  return value
}

function isRuleSet(value: unknown): value is RuleSet {
  return typeof value === 'object' && value !== null && 'rules' in value && isObject(value.rules)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
