/** Finds and loads the file with an application's rules. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { Diagnostic } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { displayPath, isFile } from '../util/paths.ts'
import type { RulesFile } from './index.ts'
import type { RuleSet } from './types.ts'

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
    exported = await (path.endsWith('ts') ? importTypeScript(path) : importDefault(path))
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error))
  }
  if (!isRuleSet(exported)) return invalid('its default export is not the result of `defineRules`')
  return { path, name, text: readFileSync(path, 'utf8'), set: exported }
}

async function importDefault(path: string): Promise<unknown> {
  // Node keeps modules by their URL.
  const version = digestOf(readFileSync(path, 'utf8'))
  const url = `${pathToFileURL(path).href}?${version}`
  const { default: value } = (await import(url)) as { readonly default?: unknown }
  return value
}

/** Node 20 doesn't run TypeScript. The script is beside the file, where its imports resolve. */
async function importTypeScript(path: string): Promise<unknown> {
  const script = `${path}.${process.pid}.mjs`
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    write: false,
  })
  writeFileSync(script, outputFiles[0]?.text ?? '')
  try {
    return await importDefault(script)
  } finally {
    rmSync(script)
  }
}

function isRuleSet(value: unknown): value is RuleSet {
  return typeof value === 'object' && value !== null && 'rules' in value && isObject(value.rules)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
