import { isAbsolute } from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { SerializerOptions, ValidatorOptions } from '../../runtime/artifact/index.ts'
import { cloneSchema } from '../../runtime/artifact/normalize.ts'
import { diagnostic } from '../errors.ts'
import type { FactoryOptions, ImportRef, Report } from '../model.ts'

/** The factory options that compilers take, with functions in them. */
export interface LiveOptions {
  readonly validator: ValidatorOptions
  readonly serializer: SerializerOptions
}

/** Imports the functions (plugins, formats, keywords) that the factory options name. */
export async function loadLiveOptions(
  { ajv, serializerOpts }: FactoryOptions,
  report: Report,
): Promise<LiveOptions> {
  const customOptions = cloneSchema(ajv.customOptions?.value ?? {})
  for (const { path, ref } of ajv.imports) setAt(customOptions, path, await load(ref, report))
  const plugins: unknown[] = []
  for (const { ref, options } of ajv.plugins) {
    const plugin = await load(ref, report)
    plugins.push(options === undefined ? plugin : [plugin, options.value])
  }
  return {
    validator: { customOptions, plugins },
    serializer: serializerOpts?.value ?? {},
  }
}

async function load(ref: ImportRef, report: Report): Promise<unknown> {
  try {
    const file = isAbsolute(ref.specifier)
      ? ref.specifier
      : createRequire(ref.importer).resolve(ref.specifier)
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>
    if (ref.name === '*') return module
    if (ref.name in module) return module[ref.name]
    throw new Error(`it has no export "${ref.name}"`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report(
      diagnostic(
        'AOT_OPTIONS_NOT_STATIC',
        ref.at,
        'ajv',
        `"${ref.specifier}" cannot be imported (${reason})`,
      ),
    )
    return undefined
  }
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let holder = target
  for (const key of path.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string, unknown>
  holder[path.at(-1) as string] = value
}
