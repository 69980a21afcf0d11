/** Reasons why schemas can't be computed or read: messages for code that throws, and what to do next. */

/** @param callee the called expression, and where it is */
export function describeNoFunction(callee: string, near: readonly string[]): string {
  return `${callee} is not a function${suggestion(near)}`
}

export function describeNoExport(specifier: string, name: string, near: readonly string[]): string {
  return `the module "${specifier}" has no export \`${name}\`${suggestion(near)}`
}

function suggestion(near: readonly string[]): string {
  const names = near.map((name) => `\`${name}\``).join(' or ')
  return names === '' ? '' : `, ${names} is one`
}

/** @param what the expression, and where it is */
export function describeThrow(what: string, message: string): string {
  return `${what} throws "${message}"`
}

const noFunction = /` \(\S+:\d+:\d+\) is not a function(?:, .* is one)?(?=$|\. )/
const noExport = /^(?:.* )?the module "[^"]+" has no export `/
const containsItself = /(?:^|: )it contains itself(?=$|\. )/
const throws = /` \(\S+:\d+:\d+\) throws ".*"$/

/** Returns whether a reason says that code throws, or describes a mistake. */
export function isFault(why: string): boolean {
  return isMistake(why) || throws.test(why)
}

/** Returns whether a reason, or a message with that reason, describes an error that the running application would have as well. */
export function isMistake(text: string): boolean {
  return noFunction.test(text) || noExport.test(text) || containsItself.test(text)
}

/** Returns whether a reason, or a message with that reason, describes a missing module. */
export function isMissingModule(text: string): boolean {
  return (
    /module "[^"]+" cannot be found/.test(text) ||
    /^Error: Cannot find (?:package|module) '/.test(text) ||
    /package "[^"]+" cannot be loaded: .*Cannot find (?:package|module)/.test(text)
  )
}

const notJsonSchema =
  /it is (?:a schema of "(.+?)"|an object of (?:a class|the class `(.+?)`))(?=$|\. )/

/** Returns whether a reason, or a message with that reason, is about an object that no build can read as JSON Schema. */
export function isNotJsonSchema(text: string): boolean {
  return notJsonSchema.test(text)
}

const converters: Readonly<Record<string, string>> = {
  arktype: ' with its method `toJsonSchema`',
  valibot: ' with `toJsonSchema` of @valibot/to-json-schema',
  zod: ' with `z.toJSONSchema` (Zod 4)',
}

export function stepForObject(why: string): string {
  const [, vendor = '', maker = ''] = notJsonSchema.exec(why) ?? []
  const way = converters[maker.startsWith('Zod') ? 'zod' : vendor] ?? ''
  return `Convert it to JSON Schema${way}, or set a \`validatorCompiler\` or \`serializerCompiler\` that reads it, as type providers do.`
}

export function stepForFault(why: string): string {
  if (containsItself.test(why))
    return 'Give the schema an `$id`, and refer to it by `$ref` instead of containing it.'
  if (isMistake(why)) return 'Correct the name.'
  return 'Correct its arguments. If only the running application has what it needs, build with `--trace`.'
}
