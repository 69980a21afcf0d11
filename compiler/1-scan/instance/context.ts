/** Creates encapsulation contexts, which inherit from their parents, and selects the compilers in use. */
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { CompilersInUse } from '../../model/index.ts'
import type { Node } from '../../util/source/project.ts'
import type {
  CompilerKind,
  CompilerState,
  ContextRecord,
  Loading,
  RootRecord,
} from '../values/contexts.ts'
import {
  addMembers,
  native,
  object,
  primitive,
  undefinedValue,
  unknown,
  type InstanceValue,
  type Value,
} from '../values/index.ts'
import type { Machine } from '../values/machine.ts'
import { exclude } from '../../util/branches.ts'

export function createRoot(
  m: Machine,
  options: Value,
  at: Node,
  line: LineName | undefined,
): InstanceValue {
  const root: RootRecord = {
    at,
    line,
    options,
    loading: [],
    headUrls: new Set(),
    methods: [],
    withBody: [],
    hasPackagePlugins: false,
    hasOwnCompilers: options.kind === 'object' && options.members.has('schemaController'),
    packagePlugins: [],
  }
  const about = { name: 'root', prefix: '', isPrefixKnown: true, at }
  const instance = createInstance(m, about, undefined, root)
  root.loading.push({ instance, plugin: undefined, branches: [], queue: [] })
  return addMembers(instance, { log: logger(at) })
}

/** Returns the innermost plugin that is loading here. While it waits, other branches are followed, in which it doesn't load. */
export function loadingIn(m: Machine, { loading }: RootRecord): Loading | undefined {
  return loading.findLast((one) => !exclude(one.branches, m.branches))
}

/** Creates a logger. Calls of its methods never throw. */
function logger(at: Node): Value {
  const base = unknown('loggers exist only when the application runs', at)
  const ignored = native('log', () => undefinedValue)
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
  return addMembers(object(at, { base }), {
    ...Object.fromEntries(levels.map((level) => [level, ignored])),
    child: native('log.child', () => logger(at)),
  })
}

const UNKNOWN_PREFIX = '/…'

/** @param prefix `undefined` if it isn't known */
export function createChild(
  m: Machine,
  parent: InstanceValue,
  name: string,
  prefix: string | undefined,
  at: Node,
): InstanceValue {
  const { context } = parent
  const about = {
    name,
    prefix: joinPrefix(m, context.prefix, prefix ?? UNKNOWN_PREFIX),
    isPrefixKnown: context.isPrefixKnown && prefix !== undefined,
    at,
  }
  const child = createInstance(m, about, parent, context.root)
  context.operations.push({ type: 'child', context: child.context })
  return child
}

/** Returns a path below the prefix of a context, if the prefix is known. */
export function underPrefix(
  { prefix, isPrefixKnown }: ContextRecord,
  path: string,
  at: Node,
): Value {
  return isPrefixKnown ? primitive(prefix + path, at) : unknown('its prefix is not known', at)
}

function createInstance(
  m: Machine,
  about: Pick<ContextRecord, 'name' | 'prefix' | 'isPrefixKnown' | 'at'>,
  parent: InstanceValue | undefined,
  root: RootRecord,
): InstanceValue {
  const parentContext = parent?.context
  const context: ContextRecord = {
    ...about,
    branches: [...m.branches],
    parent: parentContext,
    root,
    operations: [],
    onRoute: [...(parentContext?.onRoute ?? [])],
    onRegister: [...(parentContext?.onRegister ?? [])],
    hooks: [...(parentContext?.hooks ?? [])],
    plugins: [...(parentContext?.plugins ?? [])],
    compilers: inheritCompilers(parentContext),
  }
  return { kind: 'instance', context, parent, members: new Map(), at: about.at }
}

function joinPrefix({ target }: Machine, outer: string, inner: string): string {
  if (inner === '') return outer
  if (inner.startsWith('/')) return outer.replace(/\/$/, '') + inner
  return outer.endsWith('/') && !target.routes.doublesSlash ? outer + inner : `${outer}/${inner}`
}

function inheritCompilers(parent: ContextRecord | undefined): CompilerState {
  return {
    set: new Set(parent && [...lineage(parent)].flatMap(({ compilers }) => [...compilers.set])),
    built: new Set(parent?.compilers.built),
    kept: new Set(),
    keepsHeaders: parent?.compilers.keepsHeaders ?? false,
    hasAdded: false,
  }
}

/** Records that a context has a schema. Its existing children inherit the schema. */
export function noteSchema(context: ContextRecord): void {
  context.compilers.hasAdded = true
  for (const child of childrenOf(context)) noteSchema(child)
}

export function* childrenOf({ operations }: ContextRecord): Iterable<ContextRecord> {
  for (const operation of operations) if (operation.type === 'child') yield operation.context
}

export function compilersInUse({ compilers }: ContextRecord): CompilersInUse {
  const { set, built, kept, keepsHeaders, hasAdded } = compilers
  const choose = (which: CompilerKind): 'own' | undefined =>
    (set.has(which) && !hasAdded) || built.has(which) || kept.has(which) ? 'own' : undefined
  return { validator: choose('validator'), serializer: choose('serializer'), keepsHeaders }
}

/** Yields a context and its ancestors, innermost first. */
export function* lineage(context: ContextRecord): Iterable<ContextRecord> {
  for (let one: ContextRecord | undefined = context; one !== undefined; one = one.parent) yield one
}
