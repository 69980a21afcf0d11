/** Gets the code that fast-json-stringify 7 writes. */
import { createRequire } from 'node:module'

export interface BuiltCode {
  /** Starts with the names of the parameters, on a line each. */
  readonly code: string
  /** The schemas that the code needs validators for, by the key in the code. */
  readonly schemas: Readonly<Record<string, unknown>>
}

interface DebugBuild {
  readonly code: string
  readonly validator: { getState(): { readonly ajvSchemas: Readonly<Record<string, unknown>> } }
}

type Build = <T>(schema: unknown, options: object) => T

const require = createRequire(import.meta.url)
let known: Build | undefined

/** Keywords that need validators. */
const UNION = /"(?:anyOf|oneOf|if)":/

/** A line of modules that need no validators. */
const NO_VALIDATOR = '\n  const validator = null\n'

/** The beginning and end of the function in a module. */
const START = 'module.exports = function anonymous(validator,serializer\n) {\n'
const END = '\n}(validator, serializer)'

/**
 * Builds a module for schemas without unions, because the mode `debug` creates an Ajv for each schema, which takes longer than writing
 * the code. Patterns and empty unions may break the code: then the engine's error is thrown, as in process.
 *
 * @param text the JSON of the schemas
 */
export function buildCode(schema: unknown, options: object, text: string): BuiltCode {
  // Builds after an edit often compile no serializer.
  const build = (known ??= require('fast-json-stringify') as Build)
  const code = UNION.test(text) ? undefined : codeOfModule(build, schema, options)
  if (code !== undefined) return { code, schemas: {} }
  const debug = build<DebugBuild>(schema, { ...options, mode: 'debug' })
  checkSyntax(debug.code)
  return { code: debug.code, schemas: debug.validator.getState().ajvSchemas }
}

/** Returns `undefined` for code that needs validators. */
function codeOfModule(build: Build, schema: unknown, options: object): string | undefined {
  const module = build<string>(schema, { ...options, mode: 'standalone' })
  const start = module.indexOf(START)
  if (!module.slice(0, start).includes(NO_VALIDATOR) || !module.endsWith(END)) return undefined
  return `validator\nserializer\n${module.slice(start + START.length, -END.length)}`
}

function checkSyntax(code: string): void {
  // oxlint-disable-next-line no-new-func -- parses only, to fail as a process would
  Function('validator', 'serializer', code)
}
