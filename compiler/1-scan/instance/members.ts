import {
  isCallable,
  isGiven,
  native,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { InstanceValue, NativeCall, Value } from '../values/index.ts'
import { forEachOption } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import type { Node } from '../project.ts'
import { clone } from '../builtins/json.ts'
import { sharedSchemaCode } from '../sandbox/codes.ts'
import { childrenOf, lineage, noteSchema } from './context.ts'
import type { SeenHook } from '../../model/index.ts'
import { seeHook } from './hooks.ts'
import type { ContextRecord, Which } from '../values/contexts.ts'
import { declareRoute, declareShorthand } from './route.ts'

type Method = (m: Machine, instance: InstanceValue, args: Value[], at: Node) => Value

/** Methods that change nothing that the build needs, and return the instance. */
const inert = [
  'addContentTypeParser',
  'addConstraintStrategy',
  'decorateReply',
  'decorateRequest',
  'onClose',
  'removeAllContentTypeParsers',
  'removeContentTypeParser',
  'setChildLoggerFactory',
  'setErrorHandler',
  'setGenReqId',
  'setNotFoundHandler',
  'setReplySerializer',
  'setSchemaErrorFormatter',
  'withTypeProvider',
]

const methods: Readonly<Record<string, Method>> = {
  register: (m, instance, args, at) => {
    m.boot.register(instance, args[0] ?? undefinedValue, args[1] ?? undefinedValue, at)
    return instance
  },
  after: (m, instance, args, at) => {
    if (args[0] !== undefined && isCallable(args[0])) m.boot.after(instance, args[0], at)
    return instance
  },
  // Nothing can be declared any more when its callback runs.
  ready: (_, instance) => instance,
  listen: (m, instance, _, at) => {
    m.listens.push(at)
    return instance
  },
  route: (m, instance, args, at) => {
    declareRoute(m, instance, args[0] ?? undefinedValue, at)
    return instance
  },
  addSchema: (m, instance, args, at) => {
    forEachOption(m, args[0] ?? undefinedValue, at, (one) => {
      const schema =
        one.kind === 'deferred'
          ? m.deferrals.code(sharedSchemaCode, [one], one.at)
          : // What is changed afterwards is not shared any more.
            clone(m, one, at, (inner) => inner)
      m.declarations.push(at)
      instance.context.operations.push({ type: 'schema', schema, at, arms: [...m.arms] })
      noteSchema(instance.context)
    })
    return instance
  },
  getSchema: (m, instance, args, at) => {
    const id = m.known(args[0] ?? undefinedValue)
    if (id.kind !== 'primitive') return unknown('which shared schema is asked for is not known', at)
    return visibleSchemas(m, instance, at).get(String(id.value)) ?? primitive(undefined, at)
  },
  getSchemas: (m, instance, _, at) => {
    const result = object(at)
    for (const [id, schema] of visibleSchemas(m, instance, at)) {
      result.members.set(id, { value: schema, at })
    }
    return result
  },
  addHook: (m, instance, args, at) => {
    const name = m.known(args[0] ?? undefinedValue)
    const hook = args[1]
    if (hook === undefined || name.kind !== 'primitive') return instance
    const { plugin } = instance.context.root.loading.at(-1) ?? {}
    const seen = seeHook(m, String(name.value), hook, at, plugin)
    // All but those that see declarations wait for the plugins that were registered before.
    if (name.value === 'onRoute') instance.context.hooks.push(seen)
    else m.boot.afterwards(instance, () => addHook(instance.context, seen))
    if (name.value === 'onRoute') instance.context.onRoute.push(hook)
    if (name.value === 'onRegister') {
      // It waits for the plugins that were registered before, unlike `onRoute`.
      m.boot.afterwards(instance, () => addOnRegister(instance.context, hook))
    }
    return instance
  },
  decorate: (m, instance, args, at) => {
    const name = m.known(args[0] ?? undefinedValue)
    const value = args[1] ?? undefinedValue
    if (name.kind !== 'primitive') return instance
    const key = typeof name.value === 'symbol' ? name.value : String(name.value)
    const getter = value.kind === 'object' ? value.members.get('getter')?.value : undefined
    m.journal.setMember(instance, key, { value, at, getter })
    return instance
  },
  hasDecorator: (m, instance, args, at) => {
    const name = m.known(args[0] ?? undefinedValue)
    if (name.kind !== 'primitive') return unknown('which decorator is asked for is not known', at)
    const has = m.has(instance, String(name.value))
    return has || !instance.context.root.hasPackagePlugins
      ? primitive(has, at)
      : unknown('a plugin of a package may have added this decorator', at)
  },
  setValidatorCompiler: (m, instance) => {
    instance.context.compilers.keepsHeaders = true
    return setCompiler(m, instance, 'validator')
  },
  setSerializerCompiler: (m, instance) => setCompiler(m, instance, 'serializer'),
  setSchemaController: (m, instance, args, at) => {
    const { operations, compilers } = instance.context
    for (const which of ownCompilers(m, args[0] ?? undefinedValue, at)) {
      operations.push({ type: 'compiler', which })
      compilers.built.add(which)
    }
    // What was set before stays; the new controller has no schemas of its own yet.
    compilers.hasAdded = false
    return instance
  },
}

/** What `instance.name` is: a decorator, or a method of the interface. */
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
  if (key === 'prefix') return primitive(owner.context.prefix, at)
  // A promise of an instance is the instance to the interpreter.
  if (key === 'then') return native('then', thenOf(m, owner))
  const call = methodOf(m, owner, key)
  if (call !== undefined) return native(key, call)
  return unknown(`\`${key}\` of the instance exists only when the application runs`, at)
}

function methodOf(m: Machine, owner: InstanceValue, key: string): NativeCall | undefined {
  const { shorthands, addMethod: adding } = m.line.routes
  const method = key === adding ? addMethod : Object.hasOwn(methods, key) ? methods[key] : undefined
  const run: Method | undefined =
    method ??
    (key === 'all' || shorthands.includes(key) || isAdded(owner, key)
      ? (machine, instance, args, at) => {
          declareShorthand(machine, instance, key, args, at)
          return instance
        }
      : inert.includes(key)
        ? (_, instance) => instance
        : undefined)
  if (run === undefined) return undefined
  return ({ thisValue, args, at }) =>
    thisValue.kind === 'instance'
      ? run(m, thisValue, args, at)
      : unknown(`\`${key}\` is called without its instance`, at)
}

function thenOf(m: Machine, instance: InstanceValue): NativeCall {
  return ({ args, at }) => {
    m.boot.settle(instance)
    const [callback] = args
    return callback === undefined ? instance : m.call(callback, undefinedValue, [instance], at)
  }
}

/** `addHttpMethod` of Fastify 5: from then on a route may have it, and an instance has a method of that name. */
const addMethod: Method = (m, instance, args, at) => {
  const [name = undefinedValue, options = undefinedValue] = args
  const method = m.known(name)
  if (method.kind !== 'primitive') return instance
  const { root } = instance.context
  root.methods.push(String(method.value))
  const hasBody = isGiven(options) ? m.known(m.get(options, primitive('hasBody', at), at)) : options
  // What is not known counts as a body: nothing is refused for it.
  if (hasBody.kind !== 'primitive' || hasBody.value === true)
    root.withBody.push(String(method.value))
  return instance
}

function isAdded({ context }: InstanceValue, key: string): boolean {
  return context.root.methods.some((method) => method.toLowerCase() === key)
}

function setCompiler(m: Machine, instance: InstanceValue, which: Which): Value {
  const { operations, compilers } = instance.context
  operations.push({ type: 'compiler', which })
  compilers.set.add(which)
  if (m.line.schemas.keepsCompilers) compilers.kept.add(which)
  return instance
}

function addOnRegister(context: ContextRecord, hook: Value): void {
  context.onRegister.push(hook)
  for (const child of childrenOf(context)) addOnRegister(child, hook)
}

/** Contexts that are there get it, too. */
function addHook(context: ContextRecord, hook: SeenHook): void {
  context.hooks.push(hook)
  for (const child of childrenOf(context)) addHook(child, hook)
}

/** The shared schemas that the context sees at this moment, by `$id`. */
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

/** Which compilers a `schemaController` option brings along. */
export function ownCompilers(
  m: Machine,
  controller: Value,
  at: Node,
): ('validator' | 'serializer')[] {
  if (controller.kind === 'primitive') return []
  const factory = m.get(controller, primitive('compilersFactory', at), at)
  if (factory.kind === 'primitive') return []
  const brings = (name: string): boolean => {
    const value = m.get(factory, primitive(name, at), at)
    return !(value.kind === 'primitive' && !value.value)
  }
  return [
    ...(brings('buildValidator') ? (['validator'] as const) : []),
    ...(brings('buildSerializer') ? (['serializer'] as const) : []),
  ]
}
