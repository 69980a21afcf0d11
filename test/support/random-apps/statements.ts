/** Writes the body of a plugin, or of the function that creates the application. */
import { addHook } from './hooks.ts'
import { register } from './plugins.ts'
import { route } from './routes.ts'
import { part, shared } from './schemas.ts'
import { applyPending, type Frame, type Writer } from './writer.ts'

export function onRoute(w: Writer, frame: Frame): string {
  const { app } = frame
  const number = w.number()
  const bodies = [
    "{ route.schema = { ...route.schema, tags: [...(route.schema?.tags ?? []), 'hooked'] } }",
    `{ if (!route.schema) return; route.schema = { ...route.schema, headers: { h${number}: { type: 'string' } } } }`,
    '{ route.schema = Object.assign({}, route.schema, { operationId: `${route.method} ${route.routePath} ${route.prefix}` }) }',
    '{ route.schema ??= {}; route.schema.summary = route.url }',
    `{ if (!${app}.getSchema('hooked${number}')) ${app}.addSchema({ $id: 'hooked${number}', type: 'string' }); route.schema = { ...route.schema, response: { ...route.schema?.response, 409: { $ref: 'hooked${number}#' } } } }`,
    "{ if (route.method !== 'GET' || route.url.includes('*')) return; this.options(`${route.routePath}/twin`, async () => 'twin') }",
    `{ seen${number}.push(route.url); route.schema = { ...route.schema, order: seen${number}.length } }`,
    "{ if (route.method === 'HEAD') return; route.schema = { ...route.schema, deprecated: true } }",
    '{ route.preHandler = [...[route.preHandler ?? []].flat(), async function added() {}] }',
    "{ if (route.method === 'GET') route.onRequest = async function ofGet() {} }",
    "{ if (route.schema && route.schema.response) delete route.schema.response['4xx'] }",
  ]
  const body = w.tape.pick(bodies)
  const before = body.includes(`seen${number}`) ? `const seen${number}: string[] = []\n` : ''
  const written =
    body.includes('this.') || w.tape.chance(4)
      ? `function (this: any, route: any) ${body}`
      : `(route: any) => ${body}`
  return `${before}${app}.addHook('onRoute', ${written})`
}

export function onRegister(w: Writer, frame: Frame): string {
  const { app } = frame
  const number = w.number()
  const bodies = [
    `{ if (!instance.getSchema('opened${number}')) instance.addSchema({ $id: 'opened${number}', type: 'object', properties: { name: { type: 'string' } } }) }`,
    `{ instance.decorate('label${number}', { type: 'string', description: instance.prefix }) }`,
    `{ instance.get(\`/opened${number}-\${++count${number}}\`, { schema: { summary: String(options?.prefix) } }, async () => 'opened') }`,
    `{ if (options.strict) instance.addHook('onRoute', (route: any) => { route.schema = { ...route.schema, strict: true } }) }`,
  ]
  const choice = w.tape.below(bodies.length)
  const before = choice === 2 ? `let count${number} = 0\n` : ''
  if (choice === 0) {
    frame.scope.addedOnRegister.push({
      id: `opened${number}`,
      properties: ['name'],
      definitions: [],
      anchors: [],
    })
  }
  return `${before}${app}.addHook('onRegister', (instance: any, options: any) => ${bodies[choice]})`
}

const ids = [
  'item',
  'https://example.com/schemas/user.json',
  'common',
  'https://example.com/schemas/order.json',
  'urn:example:address',
  'Item',
] as const

export function statements(w: Writer, frame: Frame, most: number): string[] {
  const count = w.tape.below(most + 1)
  const written: string[] = []
  for (let index = 0; index < count && !w.tape.isAtEnd; index++) written.push(statement(w, frame))
  return written
}

function statement(w: Writer, frame: Frame): string {
  switch (w.tape.below(20)) {
    case 7:
    case 8:
    case 9:
      return addSchema(w, frame)
    case 10:
    case 11:
    case 12:
    case 13:
      return frame.depth < 4 ? register(w, frame, statements) : route(w, frame)
    case 14:
      return decorate(w, frame)
    case 15:
      return w.tape.chance(8) ? onRoute(w, frame) : onRegister(w, frame)
    case 16:
      return after(w, frame)
    case 17:
      return other(w, frame)
    case 18:
      return condition(w, frame)
    case 19:
      return elsewhere(w, frame)
    default:
      return route(w, frame)
  }
}

function addSchema(w: Writer, frame: Frame): string {
  const { app, scope } = frame
  if (frame.id !== undefined && w.tape.chance(6)) {
    const number = w.number()
    return [
      `${app}.addSchema({ $id: \`\${${frame.id}}-${number}\`, type: 'object', properties: { name: { type: 'string' } } })`,
      `${app}.post('/r${number}', { schema: { body: { $ref: \`\${${frame.id}}-${number}#\` } } }, async () => 'ok')`,
    ].join('\n')
  }
  const preferred = w.tape.pick(ids)
  const id = scope.canAdd(preferred) ? preferred : `shared${w.number()}`
  const idText = w.tape.chance(2) ? `['${id}'].join('')` : `'${id}'`
  const [piece, record] = shared(w, frame, id, idText)
  if (frame.isConditional) {
    scope.reserve(id)
  } else {
    scope.add(record)
  }
  if (!piece.isLocal && w.tape.chance(4)) {
    const name = `shared${w.number()}`
    frame.file.declare(`const ${name} = ${piece.text}`)
    return w.tape.pick([
      `${app}.addSchema(${name})`,
      `for (const one of [${name}]) ${app}.addSchema(one)`,
      `;[${name}].forEach((one) => ${app}.addSchema(one))`,
      `Object.values({ ${name} }).forEach(${app}.addSchema, ${app})`,
    ])
  }
  return `${app}.addSchema(${piece.text})`
}

function decorate(w: Writer, frame: Frame): string {
  const name = `kit${w.number()}`
  const piece = part(w, frame, 'request')
  const { needs } = piece
  const [text, access] = w.tape.pick([
    [`{ item: ${piece.text} }`, `$app.${name}.item`],
    [`{ getter() { return ${piece.text} } }`, `$app.${name}`],
    [`(extra: string) => ({ ...${piece.text}, description: extra })`, `$app.${name}('made')`],
    [piece.text, `$app.${name}`],
  ] as const)
  if (!frame.isConditional) frame.decorators.push({ access, needs })
  return `${frame.app}.decorate('${name}', ${text})`
}

function after(w: Writer, frame: Frame): string {
  const { app } = frame
  if (frame.isAsync && w.tape.chance(6)) {
    applyPending(frame)
    return `await ${app}${w.tape.chance(8) ? '.after()' : ''}`
  }
  const isAsync = w.tape.chance(3)
  const inner: Frame = {
    ...frame,
    isAsync,
    decorators: [...frame.decorators, ...frame.pending],
    pending: [],
  }
  const body = statements(w, inner, 3).join('\n')
  const known = frame.decorators.length + frame.pending.length
  frame.pending.push(...inner.decorators.slice(known), ...inner.pending)
  if (isAsync) return `${app}.after(async () => {\n${body}\n})`
  return w.tape.pick([
    `${app}.after(() => {\n${body}\n})`,
    `${app}.after((error: unknown) => {\nif (error) throw error\n${body}\n})`,
    `${app}.after((error: unknown, same: unknown, next: () => void) => {\n${body}\nnext()\n})`,
    `${app}.after(function () {\n${body}\n})`,
  ])
}

function other(w: Writer, frame: Frame): string {
  const { app } = frame
  return w.tape.pick([
    `${app}.setErrorHandler((error: any, request: any, reply: any) => { reply.code(error.statusCode ?? 500).send({ name: 'failed', count: 1, message: error.message }) })`,
    `${app}.setValidatorCompiler(() => (data: unknown) => ({ value: data }))`,
    `${app}.setSerializerCompiler(() => (data: unknown) => JSON.stringify({ own: data }))`,
    addHook(w, frame),
    addHook(w, frame),
    `${app}.setSchemaController({ compilersFactory: { buildValidator: () => () => (data: unknown) => ({ value: data }) } })`,
    `${app}.setSchemaController({ compilersFactory: { buildSerializer: () => () => (data: unknown) => JSON.stringify({ built: data }) } })`,
    `${app}.decorateRequest('mark${w.number()}', null)`,
    `${app}.setSchemaErrorFormatter((errors: any, part: string) => new Error(\`\${part} \${errors[0].keyword}\`))`,
    `const typed${w.number()} = ${app}.withTypeProvider()`,
  ])
}

function condition(w: Writer, frame: Frame): string {
  const test = w.tape.pick([
    ...frame.conditions,
    `${frame.app}.prefix === ''`,
    `!${frame.app}.hasDecorator('nothing')`,
    `${frame.app}.getSchema('item') === undefined`,
  ])
  const inner = (): string => {
    const there: Frame = {
      ...frame,
      isConditional: true,
      decorators: [...frame.decorators],
      pending: [],
    }
    return statements(w, there, 2).join('\n')
  }
  const then = inner()
  return w.tape.chance(6)
    ? `if (${test}) {\n${then}\n} else {\n${inner()}\n}`
    : `if (${test}) {\n${then}\n}`
}

/** Declares a schema or a route on the parent instance. */
function elsewhere(w: Writer, frame: Frame): string {
  const { outer } = frame
  if (outer === undefined) return route(w, frame)
  const there = { ...outer, isConditional: frame.isConditional || outer.isConditional }
  return w.tape.chance(4) ? addSchema(w, there) : route(w, there)
}
