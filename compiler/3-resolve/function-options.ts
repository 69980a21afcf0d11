import type {
  OptionPath,
  SerializerOptions,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'
import { cloneSchema } from '../../runtime/artifact/normalize.ts'
import { createUnitFactory } from '../../runtime/artifact/units.ts'
import { instancesOf } from '../report/context-path.ts'
import { ALIKE, diagnostic } from '../report/errors.ts'
import type {
  ContextTree,
  FactoryOptions,
  ImportRef,
  OnDiagnostic,
  SourceLocation,
} from '../model/index.ts'
import { importValue } from './import-value.ts'

/** The compiler options of the application, with the functions in them: plugins, formats, keywords. */
export interface FunctionOptions {
  readonly validator: ValidatorOptions
  readonly serializer: SerializerOptions
  /** Where each function is imported from. */
  readonly origins: ReadonlyMap<unknown, ImportRef>
}

/** Imports the functions in the options of all instances, and reports instances that can't be told apart. */
export async function loadFunctions(
  tree: ContextTree,
  report: OnDiagnostic,
): Promise<readonly FunctionOptions[]> {
  const functions: FunctionOptions[] = []
  for (const { options } of instancesOf(tree))
    functions.push(await loadFunctionOptions(options, report))
  reportConflicts(functions, report)
  return functions
}

/** Imports the functions that the factory options name. */
export async function loadFunctionOptions(
  { ajv, serializerOpts }: FactoryOptions,
  report: OnDiagnostic,
): Promise<FunctionOptions> {
  const origins = new Map<unknown, ImportRef>()
  const customOptions = cloneSchema(ajv.customOptions?.value ?? {})
  for (const { path, ref } of ajv.imports)
    setAt(customOptions, path, await load(ref, ['customOptions', ...path]))
  const plugins: unknown[] = []
  for (const [i, { ref, options }] of ajv.plugins.entries()) {
    const plugin = await load(ref, ['plugins', i])
    plugins.push(options === undefined ? plugin : [plugin, options.value])
  }
  const { mode } = ajv
  const parts = ajv.parts?.value
  const onCreate = ajv.onCreate && (await load(ajv.onCreate, ['onCreate']))
  return {
    validator: {
      customOptions,
      plugins,
      ...(mode === undefined ? {} : { mode }),
      ...(parts === undefined ? {} : { parts }),
      ...(onCreate === undefined ? {} : { onCreate }),
    },
    serializer: serializerOpts?.value ?? {},
    origins,
  }

  async function load(ref: ImportRef, option: OptionPath): Promise<unknown> {
    try {
      const value = await importValue(ref)
      origins.set(value, { ...ref, option })
      return value
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const why = `it cannot be imported (${reason})`
      report(diagnostic('AOT_OPTIONS_NOT_STATIC', ref.at, 'ajv', why))
      return undefined
    }
  }
}

function setAt(
  target: Record<string, unknown>,
  path: readonly (string | number)[],
  value: unknown,
): void {
  let holder = target
  const put = (key: string | number, one: unknown): void => {
    // An assignment would set the prototype for a format called `__proto__`.
    const rest = { enumerable: true, configurable: true, writable: true }
    Object.defineProperty(holder, key, { value: one, ...rest })
  }
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(holder, key) || holder[key] == null) put(key, {})
    holder = holder[key] as Record<string, unknown>
  }
  put(path.at(-1) as string, value)
}

/** Reports instances that differ only in functions that run while schemas are compiled: the running application couldn't tell them apart. */
function reportConflicts(all: readonly FunctionOptions[], report: OnDiagnostic): void {
  const bySettings = new Map<string, FunctionOptions>()
  for (const one of all) {
    const [text = ''] = createUnitFactory('validator', {}, one.validator).settings()
    const first = bySettings.get(text)
    if (first === undefined) bySettings.set(text, one)
    else {
      const before = compileTimeFunctions(first)
      for (const [option, ref] of compileTimeFunctions(one)) {
        const { at } = before.get(option) ?? ref
        if (sourceOf(before.get(option)) !== sourceOf(ref))
          report(diagnostic('AOT_OPTIONS_NOT_STATIC', ref.at, `ajv.${option}`, alike(at)))
      }
    }
  }
}

function alike({ file, line }: SourceLocation): string {
  return `another instance has the same options, but another function here (${file}:${line}), ${ALIKE}`
}

/** Returns the functions that run while schemas are compiled, by their path in the options. */
function compileTimeFunctions({ origins }: FunctionOptions): ReadonlyMap<string, ImportRef> {
  return new Map(
    [...origins.values()].flatMap((ref) => {
      const { option = [] } = ref
      const runsLater = option[1] === 'formats' || option.at(-1) === 'validate'
      return runsLater ? [] : [[option.join('.'), ref]]
    }),
  )
}

function sourceOf(ref: ImportRef | undefined): string {
  return JSON.stringify([ref?.code ?? ref?.specifier, ref?.importer, ref?.name])
}
