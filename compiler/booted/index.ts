/** Boots an application and completes or verifies the scan with what it declares. */
import { mergeTrees } from './merge.ts'
import type { Booted } from './recorded.ts'
import { instancesOf } from '../report/context-path.ts'
import { problemsOfTree } from '../report/dynamic.ts'
import { diagnostic } from '../report/errors.ts'
import type {
  ContextNode,
  ContextTree,
  Diagnostic,
  FactoryOptions,
  OnDiagnostic,
  ResolvedOptions,
  RouteNode,
  SourceLocation,
} from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import type { RecordedInstance } from './recording.ts'

export type { Booted } from './recorded.ts'

/**
 * Fills in what the scan couldn't find out.
 *
 * @param scanned undefined if the source contains no application
 * @param problems the scan's problems
 * @param isTrusted whether the boot had the environment of the running application
 */
export function complete(
  scanned: ContextTree | undefined,
  problems: readonly Diagnostic[],
  { tree: recorded, recording }: Booted,
  { root }: ResolvedOptions,
  isTrusted: boolean,
): { readonly tree: ContextTree; readonly problems: readonly Diagnostic[] } {
  const lacksOptions = problems.some(({ code }) => code === 'AOT_OPTIONS_NOT_STATIC')
  const takesOptions = lacksOptions && [recording, ...recording.others].every(hasKnownOptions)
  const tree =
    scanned === undefined ? recorded : mergeTrees(scanned, recorded, { takesOptions, isTrusted })
  const files = new Set(recording.files.map((file) => displayPath(file, root)))
  const remaining = problems.filter((problem) => !isResolved(problem))
  return { tree, problems: [...remaining, ...problemsOfTree(tree)] }

  function isResolved({ code, at }: Diagnostic): boolean {
    switch (code) {
      case 'AOT_ENTRY_WITHOUT_INSTANCE':
        return true
      // The booted application got past it.
      case 'AOT_FACTORY_THROWS':
      case 'AOT_IMPORT_NOT_FOUND':
      case 'AOT_MODULE_THROWS':
        return files.has(at.file)
      case 'AOT_OPTIONS_NOT_STATIC':
        return takesOptions
      case 'AOT_PLUGIN_NOT_STATIC':
      case 'AOT_ROUTE_NOT_STATIC':
        return wasCalled(at)
      case 'AOT_PREFIX_NOT_STATIC':
        return isTrusted || routesAt(at).every((route) => wasCalled(route.at))
      // The remaining problems of this kind are stored in the tree.
      case 'AOT_SCHEMA_NOT_STATIC':
        return true
      default:
        return false
    }
  }

  /** Returns the routes of contexts that a call creates. Two boots with different prefixes don't agree on them. */
  function routesAt({ neededBy }: SourceLocation): readonly RouteNode[] {
    const inside = (context: ContextNode, isFound: boolean): readonly RouteNode[] => {
      const { file, line, column } = context.at
      const isHere =
        isFound || (file === neededBy?.file && line === neededBy.line && column === neededBy.column)
      const below = context.children.flatMap((child) => inside(child, isHere))
      return isHere ? [...context.routes, ...below] : below
    }
    return scanned === undefined
      ? []
      : instancesOf(scanned).flatMap((one) => inside(one.root, false))
  }

  function wasCalled(at: SourceLocation): boolean {
    const { file, line, endLine } = at.neededBy ?? { ...at, endLine: at.line }
    return recording.calls.some(
      (call) => call.line >= line && call.line <= endLine && displayPath(call.file, root) === file,
    )
  }
}

/** Codes of problems that a boot may resolve. */
const resolvable: ReadonlySet<string> = new Set([
  'AOT_ENTRY_WITHOUT_INSTANCE',
  'AOT_FACTORY_THROWS',
  'AOT_IMPORT_NOT_FOUND',
  'AOT_MODULE_THROWS',
  'AOT_OPTIONS_NOT_STATIC',
  'AOT_PLUGIN_NOT_STATIC',
  'AOT_PREFIX_NOT_STATIC',
  'AOT_ROUTE_NOT_STATIC',
  'AOT_SCHEMA_NOT_STATIC',
])

export function isResolvable({ code }: Diagnostic): boolean {
  return resolvable.has(code)
}

/** Returns false if the options contain values that can't be recorded, such as functions. */
function hasKnownOptions({ options }: RecordedInstance): boolean {
  const { customOptions, serializerOpts, plugins } = options
  return customOptions.holes.length === 0 && serializerOpts.holes.length === 0 && plugins === 0
}

/** Compares the factory options that affect schemas and HEAD routes. */
export function compareOptions(
  found: FactoryOptions,
  { options }: RecordedInstance,
  report: OnDiagnostic,
): void {
  // The build imports functions itself; a recording can't contain them.
  const withoutFunctions = (
    members: unknown,
    functions: readonly { readonly path: readonly (string | number)[] }[],
  ): object => {
    const omitted = new Set(functions.map(({ path }) => String(path[0])))
    return Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => !omitted.has(name)))
  }
  const { imports, plugins, customOptions } = found.ajv
  const { holes, value } = options.customOptions
  const pairs = {
    'ajv.customOptions': [
      withoutFunctions(customOptions?.value, [...imports, ...holes]),
      withoutFunctions(value, imports),
    ],
    'ajv.plugins': [plugins.length, options.plugins],
    serializerOpts: [found.serializerOpts?.value ?? {}, options.serializerOpts.value],
    jsonShorthand: [found.jsonShorthand, options.jsonShorthand],
    exposeHeadRoutes: [found.exposeHeadRoutes, options.exposeHeadRoutes],
  }
  const at = customOptions?.at ?? found.serializerOpts?.at ?? { file: '', line: 0, column: 0 }
  for (const [name, pair] of Object.entries(pairs)) {
    const [scanned, booted] = pair.map((one) => JSON.stringify(one))
    if (scanned !== booted)
      report(diagnostic('AOT_VERIFY_OPTIONS', at, name, `it is ${booted}, not ${scanned}`))
  }
}
