/**
 * Takes functions out of a unit that others may have as well: those for shared schemas, and for anything else that
 * is the same in several places. They get names after their content, so that equal ones have one name.
 */
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { EmittedUnit, SeparatedUnit, SharedFunction } from '../model.ts'
import type { Declaration } from './statements.ts'
import {
  declarations,
  isLiteral,
  mentions,
  recounted,
  rename,
  splitStatements,
} from './statements.ts'
import { join, tokenize, type Token } from './tokens.ts'

export function separate(unit: EmittedUnit): SeparatedUnit {
  // What a keyword of the user's has written stays as it is.
  if (unit.userImports.length > 0 || unit.code.includes('`'))
    return { ...unit, uses: [], shared: [] }
  const { functions, constants, rest } = splitStatements(tokenize(unit.code))
  const mentioned = new Map<string, ReadonlySet<string>>()
  for (const { name, tokens } of [...functions.values(), ...constants.values()])
    mentioned.set(name, mentions(tokens))
  /** Names that stand for something of this unit alone. */
  const fixed = new Set([unit.name, ...declarations(rest)])
  for (const name of mentions(rest)) if (functions.has(name)) fixed.add(name)
  for (const constant of constants.values()) {
    if (isLiteral(constant)) continue
    fixed.add(constant.name)
    for (const name of mentionsOf(constant.name)) if (functions.has(name)) fixed.add(name)
  }
  /** What functions are called from now on. */
  const names = new Map<string, string>()
  const shared: SharedFunction[] = []
  // Those first that others call.
  for (let count = -1; count !== names.size;) {
    count = names.size
    for (const name of functions.keys()) if (!names.has(name)) share(name)
  }
  const keptFunctions = [...functions.values()].filter(({ name }) => !names.has(name))
  const called = new Set([
    ...mentions(rest),
    ...keptFunctions.flatMap(({ name }) => [...mentionsOf(name)]),
  ])
  // A literal has no effect: without a mention it is not needed.
  const keptConstants = [...constants.values()].filter(
    (one) => called.has(one.name) || !isLiteral(one),
  )
  for (const { name } of keptConstants) for (const one of mentionsOf(name)) called.add(one)
  const needed = new Set(keptConstants.flatMap(({ name }) => [...mentionsOf(name)]))
  const kept = [
    ...keptConstants.map(({ tokens }) => tokens),
    ...keptFunctions.map((one) => (needed.has(one.name) ? one.tokens : toConstant(one))),
  ]
  return {
    ...unit,
    code: [...kept, rest].map((tokens) => join(rename(tokens, names))).join('\n'),
    imports: unit.imports.filter((name) => called.has(name)),
    uses: unique([...names].filter(([name]) => called.has(name)).map(([, hash]) => hash)),
    shared: [...new Map(shared.map((one) => [one.name, one])).values()],
  }

  /** Gives a function its name, when all that it calls has one, but for functions that only it and these call. */
  function share(name: string): void {
    const group = groupOf(name)
    const isAlone = group.every(
      (one) => !fixed.has(one) && (one === name || !isCalledOutside(one, group)),
    )
    const outside = unique(group.flatMap((one) => [...mentionsOf(one)])).filter(
      (one) => !group.includes(one),
    )
    const canBe = outside.every((one) => !fixed.has(one) && (!functions.has(one) || names.has(one)))
    if (!isAlone || !canBe) return
    const { code, uses } = codeOf(name, group, outside)
    const hash = `$${digestOf(code).slice(0, 16).replaceAll('-', '$')}`
    for (const one of group) names.set(one, hash)
    const imports = unit.imports.filter((one) => outside.includes(one))
    shared.push({ name: hash, code, imports, uses })
  }

  /** An expression for the function, which is the same wherever it stands. */
  function codeOf(
    name: string,
    group: readonly string[],
    outside: readonly string[],
  ): Pick<SharedFunction, 'code' | 'uses'> {
    const own = new Map(group.map((one, i) => [one, `$f${i}`]))
    const uses: string[] = []
    const statements: string[] = []
    for (const one of outside) {
      const hash = names.get(one)
      if (hash !== undefined) {
        own.set(one, hash)
        uses.push(hash)
      }
      const constant = constants.get(one)
      if (constant === undefined) continue
      own.set(one, `$c${statements.length}`)
      statements.push(join(rename(constant.tokens, own)).trim())
    }
    for (const one of group) {
      const { tokens } = functions.get(one) as Declaration
      statements.push(join(rename(rename(tokens, recounted(tokens)), own)).trim())
    }
    // A function that is an expression knows itself without a variable.
    const result = group.length === 1 ? (statements.pop() as string) : own.get(name)
    const code = statements.join('\n')
    return {
      code: code === '' ? `${result}` : `(()=>{${code}\nreturn ${result}})()`,
      uses: unique(uses),
    }
  }

  /** The function and those that call it and are called by it. */
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

/** A constant with the function as its value: the engine knows what it is, and it knows itself without a variable. */
function toConstant({ name, tokens }: Declaration): readonly Token[] {
  return [...tokenize(`const ${name}=`), ...tokens, ...tokenize(';')]
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
