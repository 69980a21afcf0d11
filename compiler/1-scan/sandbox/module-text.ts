import type { Encoded } from './encode.ts'
import type { Definition, Term } from './protocol.ts'

/** A module whose default export is one value of the application. */
export interface ValueModule {
  /** An ES module that imports packages only. The same source gives the same text. */
  readonly code: string
  readonly importer: string | undefined
}

/** Prints definitions as a module; `undefined` if a part exists only in the running application. */
export function toModule({ definitions, roots, steps }: Encoded): ValueModule | undefined {
  const names = new Map([...definitions.keys()].map((id, index) => [id, `part${index}`]))
  const importer = [...definitions.values()].find((one) => one.type === 'import')?.importer
  try {
    const imports: string[] = []
    const statements: string[] = []
    for (const [id, definition] of definitions) {
      if (definition.type === 'import') imports.push(printImport(nameOf(id), definition))
      else statements.push(`const ${nameOf(id)} = once((made) => ${print(definition)})`)
    }
    // Effects that run before the value is used may change it.
    const effects = steps.map((id) => `${nameOf(id)}()`)
    const [root = { t: 'value', value: undefined } as const] = roots
    const value = `export default ${printTerm(root)}`
    return { code: [...imports, once, ...statements, ...effects, value, ''].join('\n'), importer }
  } catch (error) {
    if (error instanceof NotPrintable) return undefined
    throw error
  }

  function nameOf(id: string): string {
    return names.get(id) ?? id
  }

  function print(definition: Exclude<Definition, { type: 'import' }>): string {
    switch (definition.type) {
      case 'code':
        return `(${definition.code})(${definition.operands.map(printTerm).join(', ')})`
      case 'await':
        throw new NotPrintable('it is the result of a promise')
      case 'array':
        return `[${definition.items.map(printTerm).join(', ')}]`
      case 'object': {
        const members = definition.members.map(([key, value, kind]) =>
          kind === 'getter'
            ? `get [${printTerm(key)}]() { return ${printTerm(value)}.call(this) }`
            : `[${printTerm(key)}]: ${printTerm(value)}`,
        )
        if (definition.base !== undefined) members.unshift(`...${printTerm(definition.base)}`)
        return `({ ${members.join(', ')} })`
      }
      case 'source':
        return printSource(definition)
    }
  }

  /** Creates functions before their variables are set, so that they can use each other. */
  function printSource(definition: Extract<Definition, { type: 'source' }>): string {
    const { text, captures, members } = definition
    const captured = Object.entries(captures)
    const declared = captured.length === 0 ? '' : `let ${Object.keys(captures).join(', ')}; `
    const set = captured.map(([name, term]) => `${name} = ${printTerm(term)}; `).join('')
    const own = members.map(([key, term]) => `value[${printTerm(key)}] = ${printTerm(term)}; `)
    const isClass = /^\(?\s*class\b/.test(text)
    return isClass
      ? `{ ${declared}${set}return (${text}) }`
      : `{ ${declared}const value = (${text}); made(value); ${set}${own.join('')}return value }`
  }

  function printTerm(term: Term): string {
    switch (term.t) {
      case 'value':
        return typeof term.value === 'bigint'
          ? `${term.value}n`
          : (JSON.stringify(term.value) ?? 'undefined')
      case 'symbol':
        return `Symbol.for(${JSON.stringify(term.key)})`
      case 'ref':
        return `${nameOf(term.id)}()`
      case 'annotation':
      case 'never':
        throw new NotPrintable(term.why)
    }
  }
}

class NotPrintable extends Error {}

/** Creates a value on first read; `made` publishes it before it is complete. */
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

function printImport(
  local: string,
  { specifier, name }: Extract<Definition, { type: 'import' }>,
): string {
  const from = JSON.stringify(specifier)
  const clause = name === '*' ? `* as ${local}Module` : `{ ${name} as ${local}Module }`
  return `import ${clause} from ${from}\nconst ${local} = () => ${local}Module`
}
