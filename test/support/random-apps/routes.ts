/** Writes routes as source text. */
import { helper } from './helpers.ts'
import { hookOption } from './hooks.ts'
import { compose, nameIt, object, part, reuse } from './schemas.ts'
import type { Frame, Piece, Writer } from './writer.ts'

const bodyMethods = ['post', 'put', 'patch'] as const
const otherMethods = ['get', 'delete', 'head', 'options'] as const

const handler = [
  'export const echo = async (request: any, reply: any) => ({',
  "  name: 'n', count: '7', flag: 1, tags: ['t', 2], item: { name: 'inner', extra: true }, kind: 'a', extra: 'e',",
  '  seen: { body: request.body, query: request.query, params: request.params },',
  '})',
].join('\n')

const callbackHandler = [
  'export function answer(request: any, reply: any) {',
  "  reply.send({ name: 'called', count: 3, tags: 'x', seen: request.query, item: { name: 1 } })",
  '}',
].join('\n')

/** Returns the expression of a handler. */
function handlerText(w: Writer, frame: Frame): string {
  const home = w.file('lib/handlers.ts')
  home.declareOnce(handler)
  home.declareOnce(callbackHandler)
  return w.tape.below(4) < 3 ? frame.file.use(home, 'echo') : frame.file.use(home, 'answer')
}

/** Returns the value of the `schema` option. */
function schemaOption(w: Writer, frame: Frame, hasBody: boolean): Piece {
  const kind = hasBody ? 'wholeWithBody' : 'whole'
  switch (w.tape.below(10)) {
    case 6:
      return nameIt(w, frame, (there) => parts(w, there, hasBody), kind)
    case 7:
      return reuse(w, frame, [kind]) ?? parts(w, frame, hasBody)
    case 8: {
      const base =
        reuse(w, frame, [kind]) ?? nameIt(w, frame, (there) => parts(w, there, hasBody), kind)
      const more = part(w, frame, 'response')
      const text = `{ ...${base.text}, response: { ...${base.text}.response, 418: ${more.text} } }`
      return compose(text, [base, more])
    }
    default:
      return parts(w, frame, hasBody)
  }
}

function parts(w: Writer, frame: Frame, hasBody: boolean): Piece {
  const pieces: Piece[] = []
  const texts: string[] = []
  const add = (key: string, piece: Piece): void => {
    pieces.push(piece)
    texts.push(`${key}: ${piece.text}`)
  }
  if (hasBody && w.tape.chance(10)) add('body', part(w, frame, 'request'))
  if (w.tape.chance(6)) add(w.tape.pick(['querystring', 'query']), part(w, frame, 'request'))
  if (w.tape.chance(3)) add('params', object(w, frame))
  if (w.tape.chance(3)) add('headers', part(w, frame, 'request'))
  if (w.tape.chance(8)) {
    const responses: string[] = []
    for (const status of w.tape.some(['200', "'2xx'", "'4xx'", 'default', '[`20${1}`]'])) {
      const piece = part(w, frame, 'response')
      pieces.push(piece)
      responses.push(
        w.tape.chance(2)
          ? `${status}: { description: 'd', content: { 'application/json': { schema: ${piece.text} } } }`
          : `${status}: ${piece.text}`,
      )
    }
    texts.push(`response: { ${responses.join(', ')} }`)
  }
  if (w.tape.chance(4)) texts.push(`tags: ['t${w.tape.below(3)}']`)
  return compose(`{ ${texts.join(', ')} }`, pieces)
}

/** Returns a URL that no other route of the application has. */
function url(w: Writer, frame: Frame): string {
  const number = w.number()
  const special = w.tape.below(12)
  const key = `${frame.scope.prefix.replace(/\/+/g, '/').replace(/\/$/, '')}|`
  if (special === 11 && frame.scope.prefix !== '' && w.take(`${key}/`)) {
    return w.tape.pick(['/', ''])
  }
  if (special === 10) return `/r${number}/:id`
  if (special === 9) return `/r${number}/*`
  if (special === 8 && frame.scope.prefix !== '') return `r${number}`
  if (special === 7) return `/r${number}/`
  return `/r${number}`
}

function optionTexts(w: Writer, frame: Frame, hasBody: boolean): string[] {
  const texts: string[] = []
  if (w.tape.below(8) < 7) texts.push(`schema: ${schemaOption(w, frame, hasBody).text}`)
  if (w.tape.chance(2)) texts.push(`exposeHeadRoute: ${w.tape.pick(['false', 'true'])}`)
  if (w.tape.chance(2)) {
    texts.push(`prefixTrailingSlash: ${w.tape.pick(["'slash'", "'no-slash'", "'both'"])}`)
  }
  if (w.tape.chance(1)) texts.push('validatorCompiler: () => (data: unknown) => ({ value: data })')
  if (w.tape.chance(1))
    texts.push('serializerCompiler: () => (data: unknown) => JSON.stringify(data)')
  if (w.tape.chance(1)) texts.push('attachValidation: true')
  if (w.tape.chance(3)) texts.push(hookOption(w, frame))
  if (w.tape.chance(1)) texts.push("constraints: { version: '1.2.0' }")
  if (w.tape.chance(1)) texts.push("config: { url: '/not/this', schema: 1 }")
  return texts
}

/** Returns statements that declare one or more routes. */
export function route(w: Writer, frame: Frame): string {
  const { app } = frame
  const form = w.tape.below(14)
  const hasBody = w.tape.chance(7)
  const method = hasBody ? w.tape.pick(bodyMethods) : w.tape.pick(otherMethods)
  const path = url(w, frame)
  const handle = handlerText(w, frame)
  const texts = optionTexts(w, frame, hasBody)
  const all = `{ ${texts.join(', ')} }`
  switch (form) {
    case 5:
      return `${app}.route({ method: '${method.toUpperCase()}', url: '${path}', ${[...texts, `handler: ${handle}`].join(', ')} })`
    case 6: {
      const methods = hasBody ? ['POST', 'PUT'] : ['GET', 'DELETE']
      return `${app}.route({ ...${all}, method: [${methods.map((one) => `'${one}'`).join(', ')}], path: '${path}', handler: ${handle} })`
    }
    case 7:
      return `${app}['${method}']('${path}', ${all}, ${handle})`
    case 8: {
      const list = `list${w.number()}`
      const second = url(w, frame)
      return [
        `const ${list} = [{ url: '${path}', ${texts.join(', ')} }, { url: '${second}' }]`,
        `for (const one of ${list}) ${app}.route({ method: '${method.toUpperCase()}', handler: ${handle}, ...one })`,
      ].join('\n')
    }
    case 9: {
      const declare = `declare${w.number()}`
      frame.file.declare(
        [
          `function ${declare}(instance: any, url: string, schema?: object) {`,
          `  return instance.${method}(url, { schema }, ${handle})`,
          '}',
        ].join('\n'),
      )
      const schema = schemaOption(w, frame, hasBody).text
      return `${declare}(${app}, '${path}', ${schema})`
    }
    case 10: {
      const name = `opts${w.number()}`
      return [
        `const ${name}: any = ${all}`,
        `${name}.schema = { ...${name}.schema, summary: \`\${${app}.prefix}${path}\` }`,
        `${app}.${method}('${path}', ${name}, ${handle})`,
      ].join('\n')
    }
    case 11: {
      const controller = `Controller${w.number()}`
      frame.file.declare(
        [
          `class ${controller} {`,
          `  constructor(private app: any, private base: string) {}`,
          `  register(schema?: object) {`,
          `    this.app.${method}(this.base, { schema }, this.handle)`,
          '    return this',
          '  }',
          `  handle = ${handle}`,
          '}',
        ].join('\n'),
      )
      return `new ${controller}(${app}, '${path}').register(${schemaOption(w, frame, hasBody).text})`
    }
    case 12: {
      if (hasBody) return `${app}.${method}('${path}', { ...${all}, handler: ${handle} })`
      const other = frame.scope.prefix === '' ? '' : url(w, frame)
      return `${app}.get('${path}', ${all}, ${handle})${other === '' ? '' : `.get('${other}', ${handle})`}`
    }
    case 13: {
      const key = `verb${w.number()}`
      return `for (const ${key} of ['POST', 'PATCH'] as const) ${app}.route({ method: ${key}, url: \`${path.replace(/^$|[*]/, 'x')}\${${key}.toLowerCase()}\`, handler: ${handle}, schema: ${helper(w, frame.file, 'describe')}(${key}, ${schemaOption(w, frame, true).text}) })`
    }
    default:
      return texts.length === 0 || w.tape.chance(1)
        ? `${app}.${method}('${path}', ${handle})`
        : `${app}.${method}('${path}', ${all}, ${handle})`
  }
}
