/**
 * Takes functions that other units may also contain out of a unit: those for shared schemas, and for equal schemas. They are named after
 * their content, so that equal functions have the same name.
 */
import { digestOf } from '../../runtime/artifact/digest.ts'
import * as generated from '../../runtime/generated/index.ts'
import * as short from '../../runtime/generated/short-names.ts'
import type { EmittedUnit, SeparatedFunction, SeparatedUnit } from '../model/index.ts'
import { declarations, mentions, recounted, rename, splitStatements } from './text/statements.ts'
import { hasTemplate, join, tokenize, type Token } from './text/tokens.ts'

export function extractSharedFunctions(emitted: EmittedUnit): SeparatedUnit {
  // Code that a keyword of the application has written stays as it is.
  if (emitted.userImports.length > 0 || hasTemplate(emitted.code))
    return { ...emitted, result: emitted.name, shared: [] }
  const imported = rename(tokenize(emitted.code), SHORT_NAMES)
  const unit = { ...emitted, imports: emitted.imports.map(shorten) }
  const { functions, constants, rest: end } = splitStatements(imported)
  const isValidator = join(end).trim() === `${unit.name}.errors=null;`
  const rest = isValidator ? [] : end
  const mentioned = new Map(
    [...functions, ...constants].map(([name, tokens]) => [name, mentions(tokens)]),
  )
  /** Names that can't be shared. */
  const fixed = new Set([unit.name, ...declarations(end)])
  for (const name of mentions(rest)) if (functions.has(name)) fixed.add(name)
  /** New names of functions. */
  const names = new Map<string, string>()
  const shared: SeparatedFunction[] = []
  // Called functions come before their callers.
  for (let count = -1; count !== names.size;) {
    count = names.size
    for (const name of functions.keys()) if (!names.has(name)) share(name)
  }
  const unitStatements = [
    ...constants.values(),
    ...[...functions].filter(([name]) => !names.has(name)).map(toConstant),
    rest,
  ]
  const called = new Set(unitStatements.flatMap((tokens) => [...mentions(tokens)]))
  return {
    ...unit,
    code: unitStatements.map((tokens) => join(rename(tokens, names))).join('\n'),
    result: isValidator ? `${AS_VALIDATOR}(${unit.name})` : unit.name,
    imports: [
      ...(isValidator ? [AS_VALIDATOR] : []),
      ...unit.imports.filter((name) => called.has(name)),
    ],
    shared: [...new Map(shared.map((one) => [one.name, one])).values()],
  }

  /** Shares a function if everything that it calls can be shared, or is mutually recursive with it and isn't called elsewhere. */
  function share(name: string): void {
    const group = groupOf(name)
    const isGroupShareable = group.every(
      (one) => !fixed.has(one) && (one === name || !isCalledOutside(one, group)),
    )
    const outside = unique(group.flatMap((one) => [...mentionsOf(one)])).filter(
      (one) => !group.includes(one),
    )
    const areOthersShared = outside.every(
      (one) => !fixed.has(one) && (!functions.has(one) || names.has(one)),
    )
    if (!isGroupShareable || !areOthersShared) return
    const { code, result } = codeOf(name, group, outside)
    const content = digestOf(`${code}\nreturn ${result}`)
    const hash = `$${content.slice(0, NAME_LENGTH).replaceAll('-', '$')}`
    for (const one of group) names.set(one, hash)
    const imports = unit.imports.filter((one) => outside.includes(one))
    shared.push({ name: hash, code, result, imports })
  }

  /** Writes the code of a function with names that don't depend on the unit. */
  function codeOf(
    name: string,
    group: readonly string[],
    outside: readonly string[],
  ): Pick<SeparatedFunction, 'code' | 'result'> {
    const renamed = new Map(group.map((one, i) => [one, `$f${i}`]))
    const statements: string[] = []
    for (const one of outside) {
      const hash = names.get(one)
      if (hash !== undefined) renamed.set(one, hash)
      const constant = constants.get(one)
      if (constant === undefined) continue
      renamed.set(one, `$c${statements.length}`)
      statements.push(join(rename(constant, renamed)).trim())
    }
    for (const one of group) {
      const tokens = functions.get(one) ?? []
      statements.push(join(rename(rename(tokens, recounted(tokens)), renamed)).trim())
    }
    // A named function expression can call itself.
    const result = (group.length === 1 ? statements.pop() : renamed.get(name)) as string
    return { code: statements.join('\n'), result }
  }

  /** Returns the function and all that are mutually recursive with it. */
  function groupOf(name: string): readonly string[] {
    const reached = reachedFrom(name)
    const others = [...reached].filter((one) => one !== name && reachedFrom(one).has(name))
    return [name, ...others]
  }

  function reachedFrom(name: string): ReadonlySet<string> {
    const reached = new Set<string>()
    const add = (from: string): void => {
      for (const one of mentionsOf(from)) {
        if (reached.has(one) || !functions.has(one) || names.has(one)) continue
        reached.add(one)
        add(one)
      }
    }
    add(name)
    return reached
  }

  function isCalledOutside(name: string, group: readonly string[]): boolean {
    return [...functions.keys()].some((one) => !group.includes(one) && mentionsOf(one).has(name))
  }

  function mentionsOf(name: string): ReadonlySet<string> {
    return mentioned.get(name) as ReadonlySet<string>
  }
}

/** 60 bits: among ten thousand functions, the probability of two with the same name is below 1 in 10^10. */
const NAME_LENGTH = 10

const shortNames = new Map(Object.entries(short).map(([name, value]) => [value as unknown, name]))

/** Maps names of exports to shorter ones for the same function. They save a tenth of the code. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(generated).flatMap(([name, value]): [string, string][] => {
    const shorter = shortNames.get(value)
    return shorter === undefined || shorter === name ? [] : [[name, shorter]]
  }),
)

/** The function that sets `errors` of a validator. */
const AS_VALIDATOR = shorten('asValidator')

function shorten(name: string): string {
  return SHORT_NAMES.get(name) ?? name
}

/** Makes a function a constant, which V8 optimises better. */
function toConstant([name, tokens]: readonly [string, readonly Token[]]): readonly Token[] {
  return [...tokenize(`const ${name}=`), ...tokens, ...tokenize(';')]
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
