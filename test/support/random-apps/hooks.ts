/** Hooks that change what is declared. */
import type { Frame, Writer } from './writer.ts'

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
    frame.scope.opened.push({
      id: `opened${number}`,
      properties: ['name'],
      definitions: [],
      anchors: [],
    })
  }
  return `${before}${app}.addHook('onRegister', (instance: any, options: any) => ${bodies[choice]})`
}
