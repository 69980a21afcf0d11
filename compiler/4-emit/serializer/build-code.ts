/** Makes fast-json-stringify 7 hand out the code that it writes. */
import { createRequire } from 'node:module'

export interface BuiltCode {
  /** Begins with the names of the parameters, on a line each. */
  readonly code: string
  /** The schemas that the code tells apart by validators, by the key that it refers to. */
  readonly schemas: Readonly<Record<string, unknown>>
}

interface DebugBuild {
  readonly code: string
  readonly validator: { getState(): { readonly ajvSchemas: Readonly<Record<string, unknown>> } }
}

type Build = <T>(schema: unknown, options: object) => T

const require = createRequire(import.meta.url)
let known: Build | undefined

/** Keywords that are told apart by validators. */
const UNION = /"(?:anyOf|oneOf|if)":/

/** What a module says whose code needs none. */
const NO_VALIDATOR = '\n  const validator = null\n'

/** How the function in a module begins and ends. */
const START = 'module.exports = function anonymous(validator,serializer\n) {\n'
const END = '\n}(validator, serializer)'

/**
 * In its mode `debug` it makes an Ajv for each schema, which takes longer than to write the code; as a module, only for those that
 * have unions. What a pattern or an empty union breaks, in process the engine refuses: its message is kept.
 *
 * @param text the JSON of the schemas
 */
export function buildCode(schema: unknown, options: object, text: string): BuiltCode {
  // Not before: builds after an edit compile few functions, and often none of these.
  const build = (known ??= require('fast-json-stringify') as Build)
  const code = UNION.test(text) ? undefined : codeOfModule(build, schema, options)
  if (code !== undefined) return { code, schemas: {} }
  const debug = build<DebugBuild>(schema, { ...options, mode: 'debug' })
  checkSyntax(debug.code)
  return { code: debug.code, schemas: debug.validator.getState().ajvSchemas }
}

/** `undefined` when it needs validators. */
function codeOfModule(build: Build, schema: unknown, options: object): string | undefined {
  const module = build<string>(schema, { ...options, mode: 'standalone' })
  const start = module.indexOf(START)
  if (!module.slice(0, start).includes(NO_VALIDATOR) || !module.endsWith(END)) return undefined
  return `validator\nserializer\n${module.slice(start + START.length, -END.length)}`
}

function checkSyntax(code: string): void {
  // oxlint-disable-next-line no-new-func -- parses only: the build must fail where a process would
  Function('validator', 'serializer', code)
}
