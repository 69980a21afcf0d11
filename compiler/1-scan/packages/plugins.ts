import type { Machine } from '../interpreter/machine.ts'
import { primitive } from '../interpreter/values.ts'
import type { Deferred, InstanceValue, Value } from '../interpreter/values.ts'
import { toValue } from '../builtins/plain.ts'
import type { Node } from '../project.ts'

type Effect = (m: Machine, server: InstanceValue, options: Value, at: Node) => void

/**
 * Plugins of packages that add shared schemas. All other packages are taken to add none: of the
 * plugins in use, these are the ones that do.
 */
const effects: Readonly<Record<string, Effect>> = {
  '@fastify/multipart': addPartSchema,
  '@fastify/sensible': addHttpErrorSchema,
  'fastify-multipart': addPartSchema,
  'fastify-sensible': addHttpErrorSchema,
}

/** What registering a package's plugin does to the shared schemas. */
export function registerPackagePlugin(
  m: Machine,
  plugin: Deferred,
  server: InstanceValue,
  options: Value,
  at: Node,
): void {
  server.context.root.hasPackagePlugins = true
  const specifier = packageOf(plugin)
  if (specifier !== undefined && Object.hasOwn(effects, specifier)) {
    effects[specifier]?.(m, server, options, at)
  }
}

/** The package that a value is imported from, itself or as a member. */
function packageOf({ source }: Deferred): string | undefined {
  if (source.op === 'import') return source.specifier
  if (source.op === 'await') return packageOf(source.operand)
  const [owner] = source.operands
  return owner?.kind === 'deferred' ? packageOf(owner) : undefined
}

function addHttpErrorSchema(m: Machine, server: InstanceValue, options: Value, at: Node): void {
  addShared(m, server, options, at, {
    statusCode: { type: 'number' },
    code: { type: 'string' },
    error: { type: 'string' },
    message: { type: 'string' },
  })
}

/** Only where parts are attached to the body whole. */
function addPartSchema(m: Machine, server: InstanceValue, options: Value, at: Node): void {
  if (options.kind === 'primitive') return
  const attached = m.known(m.get(options, primitive('attachFieldsToBody', at), at))
  if (attached.kind !== 'primitive' || attached.value !== true) return
  addShared(m, server, options, at, {
    fieldname: { type: 'string' },
    encoding: { type: 'string' },
    filename: { type: 'string' },
    mimetype: { type: 'string' },
  })
}

/** Adds an object of these properties, in the plugin's order, under the option `sharedSchemaId`. */
function addShared(
  m: Machine,
  server: InstanceValue,
  options: Value,
  at: Node,
  properties: Readonly<Record<string, unknown>>,
): void {
  if (options.kind === 'primitive') return
  const id = m.known(m.get(options, primitive('sharedSchemaId', at), at))
  if (id.kind !== 'primitive' || !id.value) return
  const schema = toValue({ $id: String(id.value), type: 'object', properties }, at)
  m.call(m.get(server, primitive('addSchema', at), at), server, [schema], at)
}
