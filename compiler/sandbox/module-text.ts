/** Formats definitions as the source of a module. */
import type { Definition, Term } from './protocol.ts'

/** A module whose default export is one value of the application. */
export interface ValueModule {
  /** An ES module that imports packages and modules of Node only. The same source gives the same text. */
  readonly code: string
  readonly importer: string | undefined
}

/** A value that no module can create: a part isn't known, or exists only in the running application. */
export interface NoModule {
  readonly why: string
}

interface Program {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly roots: readonly Term[]
  readonly steps: readonly string[]
}

export function toModule({ definitions, roots, steps }: Program): ValueModule | NoModule {
  const captured = new Set(
    [...definitions.values()].flatMap((one) =>
      one.type === 'source' ? Object.keys(one.captures) : [],
    ),
  )
  const [publish, fn] = [unused('made'), unused('value')]
  const names = new Map([...definitions.keys()].map((id, index) => [id, unused(`part${index}`)]))
  const importer = [...definitions.values()].find((one) => one.type === 'import')?.importer
  try {
    const imports: string[] = []
    const statements: string[] = []
    for (const [id, definition] of definitions) {
      if (definition.type === 'import') imports.push(formatImport(nameOf(id), definition))
      else
        statements.push(
          `const ${nameOf(id)} = once((${publish}) => ${formatDefinition(definition)})`,
        )
    }
    // Effects that run before the value is used may change it.
    const effects = steps.map((id) => `${nameOf(id)}()`)
    const [root = { t: 'value', value: undefined } as const] = roots
    const value = `export default ${formatTerm(root)}`
    return { code: [...imports, once, ...statements, ...effects, value, ''].join('\n'), importer }
  } catch (error) {
    if (error instanceof NotInSource) return { why: error.message }
    throw error
  }

  /** Returns a name that doesn't shadow a variable which functions of the application capture. */
  function unused(name: string): string {
    return captured.has(name) ? unused(`_${name}`) : name
  }

  function nameOf(id: string): string {
    return names.get(id) ?? id
  }

  function formatDefinition(definition: Exclude<Definition, { type: 'import' }>): string {
    switch (definition.type) {
      case 'code':
        return `(${definition.code})(${definition.operands.map(formatTerm).join(', ')})`
      case 'await':
        throw new NotInSource('it is the result of a promise')
      case 'array':
        return `[${definition.items.map(formatTerm).join(', ')}]`
      case 'object': {
        const members = definition.members.map(([key, value, kind]) =>
          kind === 'getter'
            ? `get [${formatTerm(key)}]() { return ${formatTerm(value)}.call(this) }`
            : `[${formatTerm(key)}]: ${formatTerm(value)}`,
        )
        if (definition.base !== undefined) members.unshift(`...${formatTerm(definition.base)}`)
        return `({ ${members.join(', ')} })`
      }
      case 'source':
        return formatSource(definition)
    }
  }

  /** Creates functions before their variables are set, so that they can use each other. Classes may read variables when they are created. */
  function formatSource(definition: Extract<Definition, { type: 'source' }>): string {
    const { text, captures, members } = definition
    const captured = Object.entries(captures)
    const declared = captured.length === 0 ? '' : `let ${Object.keys(captures).join(', ')}; `
    const set = captured.map(([name, term]) => `${name} = ${formatTerm(term)}; `).join('')
    const added = members.map(([key, term]) => `${fn}[${formatTerm(key)}] = ${formatTerm(term)}; `)
    const isClass = /^\(?\s*class\b/.test(text)
    return isClass
      ? `{ ${declared}${set}return (${text}) }`
      : `{ ${declared}const ${fn} = (${text}); ${publish}(${fn}); ${set}${added.join('')}return ${fn} }`
  }

  function formatTerm(term: Term): string {
    switch (term.t) {
      case 'value':
        return formatScalar(term.value)
      case 'symbol':
        return `Symbol.for(${JSON.stringify(term.key)})`
      case 'ref':
        return `${nameOf(term.id)}()`
      case 'annotation':
      case 'never':
        throw new NotInSource(term.why)
    }
  }
}

function formatScalar(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return JSON.stringify(value) ?? 'undefined'
}

/** Thrown for a value that no module can create. */
class NotInSource extends Error {}

/** Creates a value on first read. `make` can publish it before it is complete, for references in a cycle. */
const once = `const once = (make) => {
  let cell
  return () => {
    if (cell === undefined) {
      const value = make((early) => { cell = { value: early } })
      cell = { value }
    }
    return cell.value
  }
}`

function formatImport(
  local: string,
  { specifier, name }: Extract<Definition, { type: 'import' }>,
): string {
  const from = JSON.stringify(specifier)
  const clause = name === '*' ? `* as ${local}Module` : `{ ${name} as ${local}Module }`
  return `import ${clause} from ${from}\nconst ${local} = () => ${local}Module`
}
