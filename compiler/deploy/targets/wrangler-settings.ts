/** The configuration of Cloudflare's `wrangler` that belongs to an application. A deployment contains a changed copy of it. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type * as Toml from 'smol-toml'
import { diagnostic } from '../../report/errors.ts'
import { readJson } from '../../util/read-json.ts'
import { isWithin } from '../../util/paths.ts'
import { DeployError, wholeFile } from '../deploy-error.ts'

export interface WranglerSettings {
  readonly [key: string]: unknown
  readonly name?: string
  readonly compatibility_date?: string
  readonly compatibility_flags?: readonly string[]
  readonly vars?: Readonly<Record<string, unknown>>
}

/** The first compatibility dates with Node's `process`, and with `node:worker_threads`, which the logger requires. */
export const firstDates = { process: '2025-09-15', logger: '2026-03-17' }

/** In the order in which `wrangler` looks for them. */
const NAMES = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml']

/** Settings that an environment takes from the top level, as `wrangler` documents them. Others, such as bindings, belong to one environment. */
const INHERITED =
  /^(?:name|account_id|compatibility_(?:date|flags)|workers_dev|preview_urls|routes?|tsconfig|triggers|limits|observability|minify|keep_(?:names|vars)|logfwdr|placement|assets|upload_source_maps|logpush|migrations|send_metrics|dev|usage_model|cache|python_modules|streaming_tail_consumers)$/

/** Settings about making the program, which is made already. */
const MAKES_PROGRAM =
  /^(?:\$schema|env|main|build|no_bundle|rules|base_dir|find_additional_modules|preserve_file_names|alias|define|minify|keep_names|tsconfig|jsx_\w+|legacy_env)$/

/**
 * Reads the configuration in the folder of an application, for the environment that `CLOUDFLARE_ENV` names: `wrangler` takes no environments from a
 * configuration that a tool has written.
 *
 * @param out the folder of the copy, from which its paths start
 * @throws DeployError
 */
export function wranglerSettings(root: string, out: string): WranglerSettings {
  const file = NAMES.map((name) => path.join(root, name)).find(existsSync)
  if (file === undefined) return {}
  const all = read(file, root)
  const chosen = process.env['CLOUDFLARE_ENV'] || undefined
  const environments = (all['env'] ?? {}) as Readonly<Record<string, WranglerSettings>>
  const environment = chosen === undefined ? undefined : environments[chosen]
  if (chosen !== undefined && environment === undefined)
    throw problem(file, root, `it has no environment "${chosen}", which \`CLOUDFLARE_ENV\` names`)
  const inherited = Object.entries(all).filter(
    ([key]) => environment === undefined || INHERITED.test(key),
  )
  const name = environment && all.name !== undefined ? `${all.name}-${chosen}` : all.name
  const settings = {
    ...Object.fromEntries(inherited),
    ...(name !== undefined && { name }),
    ...environment,
  }
  if (String(settings.compatibility_date ?? firstDates.process) < firstDates.process)
    throw problem(file, root, `its \`compatibility_date\` has to be ${firstDates.process} or later`)
  const kept = Object.entries(settings).filter(([key]) => !MAKES_PROGRAM.test(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, moved(key, value)]))

  /** Changes the paths of a setting, which start at its file. */
  function moved(key: string, value: unknown): unknown {
    const to = (given: unknown): string =>
      path.relative(out, path.resolve(root, String(given))).replaceAll(path.sep, '/')
    const change = (one: object, member: string, fallback?: string): object => {
      const given = (one as Record<string, unknown>)[member] ?? fallback
      return given === undefined ? one : { ...one, [member]: to(given) }
    }
    if (key === 'assets') return change(value as object, 'directory')
    if (key === 'd1_databases')
      return (value as object[]).map((one) => change(one, 'migrations_dir', 'migrations'))
    return value
  }
}

/** Returns the file that makes `wrangler` use the configuration in `out`, by its path in the folder of the application. */
export function redirectTo(root: string, out: string): Readonly<Record<string, string>> {
  // Another place isn't found from the application's folder.
  if (!isWithin(out, root)) return {}
  const folder = '.wrangler/deploy'
  const configPath = path.relative(path.join(root, folder), path.join(out, 'wrangler.jsonc'))
  return {
    [`${folder}/config.json`]: `${JSON.stringify({ configPath: configPath.replaceAll(path.sep, '/') })}\n`,
  }
}

/** @throws DeployError */
function read(file: string, root: string): WranglerSettings {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.toml')) {
    // Loaded here, because few applications need it.
    const { parse } = createRequire(import.meta.url)('smol-toml') as typeof Toml
    try {
      return parse(text) as WranglerSettings
    } catch (error) {
      throw problem(file, root, (error as Error).message.split('\n')[0] as string)
    }
  }
  const json = readJson(text, true)
  if ('value' in json) return json.value as WranglerSettings
  const line = text.slice(0, json.start).split('\n').length
  throw problem(file, root, `${json.reason.replace(/\.$/, '')} in line ${line}`)
}

function problem(file: string, root: string, reason: string): DeployError {
  const at = wholeFile(file, root)
  return new DeployError(diagnostic('AOT_WRANGLER_SETTINGS', at, at.file, reason))
}
