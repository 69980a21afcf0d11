/** The members of an instance: decorators, and what its methods do in the scan. */
import {
  array,
  isCallable,
  isGiven,
  native,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { InstanceValue, NativeCall, Value } from '../values/index.ts'
import { forEachOption, happensAsMain } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { hasProperty, toKey } from '../values/properties.ts'
import type { Node } from '../../util/source/project.ts'
import { chain, toPromise } from '../builtins/promises.ts'
import { clone } from '../builtins/clone.ts'
import { sharedSchemaCode } from '../evaluation/operations.ts'
import { lineage, loadingIn, noteSchema, underPrefix } from './context.ts'
import { noteUnknownHooks, recordHook, withDescendants } from './hooks.ts'
import type { ContextRecord, CompilerKind } from '../values/contexts.ts'
import { declareRoute, declareShorthand } from './route.ts'

type Method<Result> = (m: Machine, instance: InstanceValue, args: Value[], at: Node) => Result

/** Methods that declare nothing that the build needs. */
const ignoredMethods = [
  // The callback of `ready` runs too late to declare anything.
  'addContentTypeParser addConstraintStrategy decorateReply decorateRequest onClose ready removeAllContentTypeParsers',
  'removeContentTypeParser setChildLoggerFactory setErrorHandler setGenReqId setNotFoundHandler setReplySerializer',
  'setSchemaErrorFormatter withTypeProvider',
].flatMap((line) => line.split(' '))

/** Methods that declare something, and return the instance. */
const declarations: Readonly<Record<string, Method<void>>> = {
  register: (m, instance, [plugin = undefinedValue, options = undefinedValue], at) =>
    m.boot.register(instance, plugin, options, at),
  after: (m, instance, [callback], at) => {
    if (callback !== undefined && isCallable(callback)) m.boot.after(instance, callback, at)
  },
  listen: (m, _instance, _args, at) => {
    if (!happensAsMain(m)) m.listens.push(at)
  },
  route: (m, instance, [options = undefinedValue], at) => declareRoute(m, instance, options, at),
  addSchema: (m, instance, [given = undefinedValue], at) =>
    forEachOption(m, given, at, (one) => {
      const schema =
        one.kind === 'deferred'
          ? m.deferrals.code(sharedSchemaCode, [one], one.at)
          : // Later changes of the object don't reach the shared schema.
            clone(m, one, at, (inner) => inner)
      m.declarations.push(at)
      instance.context.operations.push({ type: 'schema', schema, at, branches: [...m.branches] })
      noteSchema(instance.context)
    }),
  addHook: (m, instance, [given = undefinedValue, hook], at) => {
    const name = m.known(given)
    const { context } = instance
    if (name.kind !== 'primitive' || hook === undefined) {
      const what =
        hook === undefined ? 'the arguments of this call are' : 'the name of this hook is'
      noteUnknownHooks(m, context, `${what} not known`, at)
      return
    }
    const { plugin } = loadingIn(m, context.root) ?? {}
    const record = { ...recordHook(m, String(name.value), hook, at), plugin }
    if (name.value === 'onRoute') {
      context.hooks.push(record)
      context.onRoute.push(hook)
      return
    }
    // `onRegister` and hooks of requests wait for the plugins that were registered before, and reach existing children too.
    m.boot.afterwards(instance, () => {
      for (const one of withDescendants(context)) {
        one.hooks.push(record)
        if (name.value === 'onRegister') one.onRegister.push(hook)
      }
    })
  },
  /** Routes may have the method from then on, and instances have a shorthand for it. */
  addHttpMethod: (m, { context }, [name = undefinedValue, options = undefinedValue], at) => {
    const method = m.known(name)
    if (method.kind !== 'primitive') return
    const flag = isGiven(options) ? m.known(m.get(options, primitive('hasBody', at), at)) : options
    context.root.methods.push(String(method.value))
    // If it isn't known, assume a body: then no schema is refused.
    const hasBody = flag.kind !== 'primitive' || flag.value === true
    if (hasBody) context.root.withBody.push(String(method.value))
  },
  decorate: (m, instance, [given = undefinedValue, value = undefinedValue], at) => {
    const name = m.known(given)
    if (name.kind !== 'primitive') return
    const key = toKey(name.value)
    const getter = value.kind === 'object' ? value.members.get('getter')?.value : undefined
    m.journal.setMember(instance, key, { value, at, getter })
    if (isCallable(value)) m.decorators.set(value, String(key))
  },
  setValidatorCompiler: (m, instance, [compiler]) => {
    if (!isUnderCondition(m, instance.context)) instance.context.compilers.keepsHeaders = true
    setCompiler(m, instance, 'validator', compiler)
  },
  setSerializerCompiler: (m, instance, [compiler]) =>
    setCompiler(m, instance, 'serializer', compiler),
  setSchemaController: (m, { context }, [controller = undefinedValue], at) => {
    context.root.hasOwnCompilers = true
    if (isUnderCondition(m, context)) return
    for (const which of ownCompilers(m, controller, at)) {
      context.operations.push({ type: 'compiler', which })
      context.compilers.built.add(which)
    }
    // Compilers set before stay; the new controller has no schemas yet.
    context.compilers.hasAdded = false
  },
}

const queries: Readonly<Record<string, Method<Value>>> = {
  getSchema: (m, instance, [given = undefinedValue], at) => {
    const id = m.known(given)
    if (id.kind !== 'primitive') return unknown('the id of the shared schema is not known', at)
    return visibleSchemas(m, instance, at).get(String(id.value)) ?? primitive(undefined, at)
  },
  getSchemas: (m, instance, _args, at) => {
    const result = object(at)
    for (const [id, value] of visibleSchemas(m, instance, at)) {
      result.members.set(id, { value, at })
    }
    return result
  },
  getDecorator: (m, instance, [given = undefinedValue], at) => {
    const name = m.known(given)
    const key = name.kind === 'primitive' ? toKey(name.value) : ''
    if (!hasProperty(instance, key)) return unknown('this decorator is not known', at)
    const value = m.get(instance, name, at)
    if (value.kind !== 'function') return value
    const bound = { ...value, members: new Map(), boundThis: instance }
    m.derived.set(bound, { from: value, isReturned: false })
    m.decorators.set(bound, String(key))
    return bound
  },
  hasDecorator: (m, instance, [given = undefinedValue], at) => {
    const name = m.known(given)
    if (name.kind !== 'primitive') return unknown('the name of the decorator is not known', at)
    const has = hasProperty(instance, toKey(name.value))
    return has || !instance.context.root.hasPackagePlugins
      ? primitive(has, at)
      : unknown('a plugin of a package may have added this decorator', at)
  },
}

/** Reads `instance.name`: a decorator, or a method. */
export function readInstance(
  m: Machine,
  owner: InstanceValue,
  key: string | symbol,
  at: Node,
): Value {
  for (let one: InstanceValue | undefined = owner; one !== undefined; one = one.parent) {
    const member = one.members.get(key)
    if (member === undefined) continue
    return member.getter === undefined ? member.value : m.call(member.getter, owner, [], at)
  }
  if (typeof key === 'symbol') return primitive(undefined, at)
  if (key === 'prefix') return underPrefix(owner.context, '', at)
  if (key === 'supportedMethods') return supportedMethods(m, owner, at)
  const call = key === 'then' ? thenOf(m, owner) : methodOf(m, owner, key)
  if (call !== undefined) return native(key, call)
  const missing = unknown(`\`${key}\` of the instance exists only when the application runs`, at)
  m.decorators.set(missing, key)
  return missing
}

/** Returns all methods that routes may have, those without a body first. */
function supportedMethods(m: Machine, { context }: InstanceValue, at: Node): Value {
  if (context.root.methods.length > 0) return unknown('it has methods that were added', at)
  return array(
    m.target.routes.methods.map((method) => primitive(method, at)),
    at,
  )
}

function methodOf(m: Machine, owner: InstanceValue, key: string): NativeCall | undefined {
  const query = Object.hasOwn(queries, key) ? queries[key] : undefined
  const declare = declarationOf(m, owner, key)
  if (query === undefined && declare === undefined) return undefined
  return ({ thisValue, args, at }) => {
    if (thisValue.kind !== 'instance') {
      return unknown(`\`${key}\` is called without its instance`, at)
    }
    if (query !== undefined) return query(m, thisValue, args, at)
    declare?.(m, thisValue, args, at)
    return thisValue
  }
}

function declarationOf(
  m: Machine,
  { context }: InstanceValue,
  key: string,
): Method<void> | undefined {
  const { shorthands } = m.target.routes
  if (Object.hasOwn(declarations, key)) return declarations[key]
  const isAdded = context.root.methods.some((method) => method.toLowerCase() === key)
  if (key === 'all' || shorthands.includes(key) || isAdded) {
    return (_, instance, args, at) => declareShorthand(m, instance, key, args, at)
  }
  return ignoredMethods.includes(key) ? () => undefined : undefined
}

/** `then` of an instance, or of what its methods return: the plugins load first. */
function thenOf(m: Machine, instance: InstanceValue): NativeCall {
  return ({ args: [onFulfilled = undefinedValue, onRejected = undefinedValue], at }) =>
    chain(m, toPromise(m, instance, at), onFulfilled, onRejected, at)
}

function setCompiler(
  m: Machine,
  { context }: InstanceValue,
  which: CompilerKind,
  compiler: Value | undefined,
): void {
  if (compiler?.kind !== 'deferred') context.root.hasOwnCompilers = true
  if (isUnderCondition(m, context)) return
  context.operations.push({ type: 'compiler', which })
  context.compilers.set.add(which)
  if (m.target.schemas.keepsCompilers) context.compilers.kept.add(which)
}

/** Returns whether a call is conditional. Compilers set that way are ignored, because without them routes need compiled functions. */
function isUnderCondition(m: Machine, context: ContextRecord): boolean {
  return m.branches.length > context.branches.length
}

/** Returns the shared schemas that the context sees at this moment, by `$id`. */
function visibleSchemas(m: Machine, instance: InstanceValue, at: Node): Map<string, Value> {
  const result = new Map<string, Value>()
  for (const context of [...lineage(instance.context)].reverse()) {
    for (const operation of context.operations) {
      if (operation.type !== 'schema') continue
      const id = m.known(m.get(operation.schema, primitive('$id', at), at))
      if (id.kind === 'primitive') result.set(String(id.value), operation.schema)
    }
  }
  return result
}

/** Returns the compilers that a `schemaController` option brings. */
export function ownCompilers(m: Machine, controller: Value, at: Node): CompilerKind[] {
  if (controller.kind === 'primitive') return []
  const factory = m.get(controller, primitive('compilersFactory', at), at)
  if (factory.kind === 'primitive') return []
  const makers = { validator: 'buildValidator', serializer: 'buildSerializer' } as const
  return (['validator', 'serializer'] as const).filter((which) => {
    const value = m.get(factory, primitive(makers[which], at), at)
    return value.kind !== 'primitive' || Boolean(value.value)
  })
}
