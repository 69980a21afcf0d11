/** Writes plugins and their registrations as source text. */
import { part } from './schemas.ts'
import { Scope } from './scope.ts'
import {
  applyPending,
  type SchemaAccess,
  type Frame,
  type WriteBody,
  type Writer,
} from './writer.ts'

const variables = ['app', 'instance', 'child', 'inner', 'deep', 'last'] as const

interface Options {
  /** Source text of members, without the prefix. */
  readonly texts: string[]
  readonly given: SchemaAccess[]
  readonly conditions: string[]
  readonly id: string | undefined
}

function optionsOf(w: Writer, frame: Frame): Options {
  const texts: string[] = []
  const given: SchemaAccess[] = []
  const conditions: string[] = []
  let id: string | undefined
  if (w.tape.chance(5)) {
    texts.push(`strict: ${w.tape.pick(['true', 'false'])}`)
    conditions.push('opts.strict', '!opts?.strict')
  }
  if (w.tape.chance(4)) {
    const piece = part(w, frame, 'request')
    texts.push(`item: ${piece.text}`)
    given.push({ access: 'opts.item', needs: piece.needs })
  }
  if (w.tape.chance(4)) {
    texts.push(`id: 'given${w.number()}'`)
    id = 'opts.id'
  }
  return { texts, given, conditions, id }
}

function prefixOf(w: Writer, scope: Scope): string {
  const number = w.number()
  const prefixes = [
    `/p${number}`,
    // Fastify 4 doubles the slash.
    scope.endsWithSlash ? `/p${number}` : `p${number}`,
    `/p${number}/`,
    `/p${number}/:key`,
    `/p${number}//x`,
    '',
    '/v1',
    '/',
  ]
  return prefixes[w.tape.below(prefixes.length)] as string
}

function join(parent: string, own: string): string {
  return `${parent}/${own}`.replace(/\/+/g, '/').replace(/\/$/, '')
}

/** Writes a plugin. Returns the statements that register it. */
export function register(w: Writer, frame: Frame, writeBody: WriteBody): string {
  const isWrapped = w.tape.chance(4)
  const { app } = frame
  const options = optionsOf(w, frame)
  const takesFunction = !isWrapped && options.texts.length > 0 && w.tape.chance(1)
  const times = isWrapped ? 1 : w.tape.pick([1, 1, 1, 2] as const)
  const prefixes =
    times === 1
      ? [prefixOf(w, frame.scope)]
      : Array.from({ length: times }, () => `/q${w.number()}`)
  const scope = isWrapped
    ? frame.scope
    : new Scope(
        takesFunction ? frame.scope.prefix : join(frame.scope.prefix, prefixes[0] ?? ''),
        frame.scope,
        prefixes[0],
      )
  const place = w.tape.pick(['inline', 'named', 'file', 'default', 'import'] as const)
  const plugin = pluginText(w, frame, {
    scope,
    isWrapped,
    isOnce: times === 1,
    options,
    place,
    writeBody,
  })
  const members = (prefix: string): string =>
    `{ ${[...(prefix === '' ? [] : [`prefix: '${prefix}'`]), ...options.texts].join(', ')} }`
  if (times > 1) {
    const list = prefixes.map((prefix) => members(prefix)).join(', ')
    const one = `one${w.number()}`
    return w.tape.pick([
      prefixes.map((prefix) => `${app}.register(${plugin}, ${members(prefix)})`).join('\n'),
      `for (const ${one} of [${list}]) ${app}.register(${plugin}, ${one})`,
      `;[${list}].forEach((${one}) => void ${app}.register(${plugin}, ${one}))`,
    ])
  }
  const given = takesFunction ? `() => (${members(prefixes[0] ?? '')})` : members(prefixes[0] ?? '')
  const call =
    given === '{  }' && w.tape.chance(12)
      ? `${app}.register(${plugin})`
      : `${app}.register(${plugin}, ${given})`
  switch (w.tape.below(8)) {
    case 4:
    case 5:
      if (frame.isAsync) {
        applyPending(frame)
        return `await ${call}`
      }
      return call
    case 6:
      return `${call}.after(() => {})`
    case 7:
      return options.conditions.length === 0 ? call : `true && ${call}`
    default:
      return call
  }
}

interface PluginSettings {
  readonly scope: Scope
  readonly isWrapped: boolean
  readonly isOnce: boolean
  readonly options: Options
  readonly place: 'inline' | 'named' | 'file' | 'default' | 'import'
  readonly writeBody: WriteBody
}

/** Writes a plugin. Returns the expression for it. */
function pluginText(
  w: Writer,
  frame: Frame,
  { scope, isWrapped, isOnce, options, place, writeBody }: PluginSettings,
): string {
  const number = w.number()
  const isElsewhere = place !== 'inline' && place !== 'named'
  const file = isElsewhere
    ? w.file(`${w.tape.pick(['plugins', 'routes/api'])}/plugin${number}.ts`)
    : frame.file
  const isAsync = w.tape.below(3) < 2
  const variable = variables[frame.depth + 1] ?? 'last'
  const inner: Frame = {
    file,
    app: variable,
    scope,
    depth: frame.depth + 1,
    isAsync,
    given: options.given,
    conditions: options.conditions,
    id: options.id,
    outer: place === 'inline' && isOnce ? frame : undefined,
    isConditional: isWrapped && frame.isConditional,
    decorators: [...frame.decorators, ...frame.pending],
    pending: [],
  }
  const known = inner.decorators.length
  const body = writeBody(w, inner, 6)
  if (isWrapped) frame.pending.push(...inner.decorators.slice(known), ...inner.pending)
  const name = `plugin${number}`
  const parameters = isAsync
    ? `(${variable}: any, opts: any)`
    : `(${variable}: any, opts: any, done: () => void)`
  const text = [...body, ...(isAsync ? [] : ['done()'])].join('\n')
  const asFunction = `${isAsync ? 'async ' : ''}function ${name}${parameters} {\n${text}\n}`
  const asArrow = `${isAsync ? 'async ' : ''}${parameters} => {\n${text}\n}`
  const written = w.tape.chance(8) ? asFunction : asArrow
  if (place === 'inline') return isWrapped ? wrap(w, frame, written, name) : written
  const declared =
    isWrapped && w.tape.chance(3)
      ? `const ${name}: any = ${written}\n;${name}[Symbol.for('skip-override')] = true`
      : `const ${name} = ${isWrapped ? wrap(w, inner, written, name) : written}`
  if (place === 'named') {
    file.declare(declared)
    return name
  }
  if (place === 'file') {
    file.declare(`${declared}\nexport { ${name} }`)
    return frame.file.use(file, name, w.tape.pick(['name', 'renamed', 'namespace']))
  }
  file.declare(`${declared}\nexport default ${name}`)
  if (place === 'import') return `import('${frame.file.specifierOf(file)}')`
  return frame.file.useDefault(file, `${name}Default`)
}

function wrap(w: Writer, { file }: Frame, plugin: string, name: string): string {
  file.import(
    w.tape.chance(8) ? "import fp from 'fastify-plugin'" : "import fp from 'framework/plugin'",
  )
  return `fp(${plugin}${w.tape.chance(6) ? `, { name: 'named-${name}' }` : ''})`
}
