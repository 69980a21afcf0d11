/** Writes schemas as source text, in many notations. */
import { refsTo, type SharedRecord } from './scope.ts'
import { helper } from './helpers.ts'
import type { Frame, NamedPiece, Piece, Writer } from './writer.ts'

const names = ['name', 'count', 'flag', 'tags', 'item', 'kind'] as const

const literals = [
  "{ type: 'string' }",
  "{ type: 'integer' }",
  "{ type: 'boolean' }",
  "{ type: 'array', items: { type: 'string' } }",
  "{ enum: ['a', 'b'] }",
  "{ type: 'string', nullable: true }",
  "{ type: 'integer', minimum: 1, default: 5 }",
  "{ type: 'string', format: 'date-time' }",
  "{ type: 'string', maxLength: 3 }",
  "{ not: { type: 'null' } }",
  "{ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }",
] as const

function plain(text: string, needs: readonly string[] = []): Piece {
  return { text, needs, isLocal: false }
}

/** Returns a piece with this text, which contains the other pieces. */
export function compose(text: string, pieces: readonly Piece[]): Piece {
  return {
    text,
    needs: [...new Set(pieces.flatMap((piece) => piece.needs))],
    isLocal: pieces.some((piece) => piece.isLocal),
  }
}

export function reference(w: Writer, frame: Frame): Piece | undefined {
  const records = frame.scope.visible()
  if (records.length === 0) return undefined
  const record = w.tape.pick(records)
  const ref = w.tape.pick(refsTo(record))
  if (w.tape.chance(3)) {
    const named = helper(w, frame.file, 'refTo')
    return plain(`${named}('${ref}')`, [ref])
  }
  return plain(`{ $ref: '${ref}' }`, [ref])
}

/** Writes the schema of one member. */
export function property(w: Writer, frame: Frame, depth = 0): Piece {
  switch (w.tape.below(12)) {
    case 8:
      return reference(w, frame) ?? plain(literals[0])
    case 9:
      return depth > 1 ? plain(literals[1]) : object(w, frame, depth + 1)
    case 10:
      return reuse(w, frame, ['property']) ?? plain(w.tape.pick(literals))
    case 11: {
      const inner = property(w, frame, depth + 1)
      return { ...inner, text: `${helper(w, frame.file, 'listOf')}(${inner.text})` }
    }
    case 7:
      return nameIt(w, frame, () => plain(w.tape.pick(literals)), 'property')
    default:
      return plain(w.tape.pick(literals))
  }
}

function members(w: Writer, frame: Frame, depth: number) {
  const chosen: string[] = w.tape.some(names)
  if (chosen.length === 0) chosen.push('name')
  const pieces = chosen.map(() => property(w, frame, depth))
  const text = chosen.map((name, index) => `${name}: ${pieces[index]?.text}`).join(', ')
  if (w.tape.chance(2)) {
    const rest = chosen.map((name, index) => `['${name}', ${pieces[index]?.text}]`).join(', ')
    return { names: chosen, text: `...Object.fromEntries([${rest}])`, pieces }
  }
  return { names: chosen, text, pieces }
}

export function object(w: Writer, frame: Frame, depth = 0): Piece {
  const found = members(w, frame, depth)
  const required = w.tape.chance(4) ? `, required: ['${found.names[0]}']` : ''
  const literal = `{ type: 'object', properties: { ${found.text} }${required} }`
  const call = helperCall(w, frame, 'objectOf', `{ ${found.text} }`)
  const text = w.tape.chance(4) ? call : literal
  return compose(text, found.pieces)
}

/** Writes an object schema with TypeBox. */
function typebox(w: Writer, frame: Frame): Piece {
  frame.file.import("import { Type } from '@sinclair/typebox'")
  const rest = w.tape.chance(8) ? ', count: Type.Optional(Type.Integer({ minimum: 1 }))' : ''
  return plain(`Type.Object({ name: Type.String()${rest} })`)
}

function helperCall(w: Writer, frame: Frame, name: string, ...args: string[]): string {
  return `${helper(w, frame.file, name)}(${args.join(', ')})`
}

/** Writes a schema for `addSchema`. Also returns what references may name in it. */
export function shared(w: Writer, frame: Frame, id: string, idText: string): [Piece, SharedRecord] {
  const found = members(w, frame, 0)
  const hasDefinitions = w.tape.chance(6)
  const definitions = hasDefinitions
    ? `, definitions: { code: { $id: '#code', type: 'string' }, amount: { type: 'integer' } }`
    : ''
  const own = hasDefinitions && w.tape.chance(6) ? `, own: { $ref: '#/definitions/amount' }` : ''
  const linked = 'https://example.com/schemas/user.json'
  const link =
    id.startsWith('https:') && frame.scope.resolves(`${linked}#`) && w.tape.chance(6)
      ? `, link: { $ref: 'user.json#' }`
      : ''
  const record = {
    id,
    properties: found.names,
    definitions: hasDefinitions ? ['code', 'amount'] : [],
    anchors: hasDefinitions ? ['#code'] : [],
  }
  const body = `type: 'object', properties: { ${found.text}${own}${link} }${definitions}`
  const text = w.tape.chance(4)
    ? helperCall(w, frame, 'withId', idText, `{ ${body} }`)
    : `{ $id: ${idText}, ${body} }`
  return [compose(text, found.pieces), record]
}

/** Writes the schema of a whole part. */
export function part(w: Writer, frame: Frame, where: 'request' | 'response'): Piece {
  const decorators = [...frame.given, ...frame.decorators].filter(({ needs }) => fits(frame, needs))
  if (w.usesTypebox && w.tape.chance(3)) return typebox(w, frame)
  switch (w.tape.below(12)) {
    case 4: {
      // The short form.
      const found = members(w, frame, 0)
      return compose(`{ ${found.text} }`, found.pieces)
    }
    case 5:
      return reference(w, frame) ?? object(w, frame)
    case 6:
      return reuse(w, frame, ['object']) ?? object(w, frame)
    case 7:
      return nameIt(w, frame, (there) => object(w, there), 'object')
    case 8: {
      if (decorators.length === 0) return nameIt(w, frame, (there) => object(w, there), 'object')
      const { access, needs } = w.tape.pick(decorators)
      return { text: access.replaceAll('$app', frame.app), needs, isLocal: true }
    }
    case 9: {
      const base =
        reuse(w, frame, ['object']) ?? nameIt(w, frame, (there) => object(w, there), 'object')
      const more = property(w, frame)
      const text = w.tape.pick([
        `{ ...${base.text}, properties: { ...${base.text}.properties, more: ${more.text} } }`,
        helperCall(w, frame, 'strict', base.text),
        helperCall(
          w,
          frame,
          'merge',
          base.text,
          helperCall(w, frame, 'objectOf', `{ more: ${more.text} }`),
        ),
        `structuredClone(${base.text})`,
        `JSON.parse(JSON.stringify(${base.text}))`,
        `Object.assign({}, ${base.text}, { description: 'copied' })`,
        helperCall(w, frame, 'without', base.text, `'name'`),
      ])
      return compose(text, [base, more])
    }
    case 10: {
      const one = property(w, frame)
      const text = `new ${helper(w, frame.file, 'Builder')}().with('name', ${one.text}).with('count', ${literals[1]}).build()`
      return compose(text, [one])
    }
    case 11: {
      const local = w.tape.pick(['definitions', 'anchor'] as const)
      const ref = local === 'definitions' ? '#/definitions/word' : '#word'
      const extra = where === 'response' ? '' : ', required: []'
      return plain(
        `{ type: 'object', definitions: { word: { $id: '#word', type: 'string' } }, properties: { name: { $ref: '${ref}' } }${extra} }`,
      )
    }
    default:
      return object(w, frame)
  }
}

export function fits(frame: Frame, needs: readonly string[]): boolean {
  return needs.every((ref) => frame.scope.resolves(ref))
}

/** Refers to a constant of an earlier `nameIt`, if one fits. */
export function reuse(
  w: Writer,
  frame: Frame,
  kinds: readonly NamedPiece['kind'][],
): Piece | undefined {
  const fitting = w.named.filter(
    (one) => kinds.includes(one.kind) && fits(frame, one.needs) && isThere(w, one, frame),
  )
  if (fitting.length === 0) return undefined
  const { file, name, needs } = w.tape.pick(fitting)
  const how = w.tape.pick(['name', 'renamed', 'namespace'] as const)
  return { text: frame.file.use(file, name, how), needs, isLocal: false }
}

/** At the top level, modules that import each other in a circle do not have each other's constants yet. */
function isThere(w: Writer, { file }: NamedPiece, frame: Frame): boolean {
  if (file === frame.file) return true
  // A module with top-level `await` would wait forever for one that imports it.
  if (w.startsAtTopLevel && file.path === 'app.ts') return false
  if (!frame.isTop) return true
  if (!file.path.startsWith('schemas/')) return false
  return !frame.file.path.startsWith('schemas/') || file.path < frame.file.path
}

/** Turns the piece into a constant, in this file or in another. */
export function nameIt(
  w: Writer,
  frame: Frame,
  make: (there: Frame) => Piece,
  kind: NamedPiece['kind'],
): Piece {
  const file = w.tape.chance(7) ? w.file(`schemas/group${w.tape.below(3)}.ts`) : frame.file
  const piece = make({ ...frame, file, isTop: true, given: [], decorators: [] })
  const name = `schema${w.number()}`
  const texts = [
    `export const ${name} = ${piece.text}`,
    `export const ${name} = ${piece.text} as const`,
    `const make_${name} = () => (${piece.text})\nexport const ${name} = make_${name}()`,
    `class Holder_${name} { static schema = ${piece.text} }\nexport const ${name} = Holder_${name}.schema`,
    `export const { inner: ${name} } = { inner: ${piece.text} }`,
  ]
  file.declare(w.tape.pick(texts))
  const named = { file, name, kind, needs: piece.needs }
  w.named.push(named)
  return { ...piece, text: frame.file.use(file, name) }
}
