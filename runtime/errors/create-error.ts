/** An error of the framework: `code` is stable and public, `statusCode` is the status that it answers with. */
import { format } from '../platform/index.ts'

export interface FastifyError extends Error {
  code: string
  name: string
  statusCode?: number
}

/** The class of one error code; can be called with or without `new`. */
export interface FastifyErrorConstructor {
  /** Arguments fill the `%s` of the message; a last `{ cause }` becomes the error's cause. */
  new (...args: unknown[]): FastifyError
  (...args: unknown[]): FastifyError
  readonly prototype: FastifyError
}

/** What an error class may derive from, by name. */
export type BaseName = 'Error' | 'RangeError' | 'TypeError' | 'URIError'

/** On prototypes: the code of the class, the same for every copy of this package that a process has loaded. */
const kCode = Symbol.for('framework.error.code')

/** Codes that Fastify does not have. */
const OWN = /^FST_ERR_(?:AOT|DEPLOY)_/

/**
 * Node shows the line in which an error was made above one that nobody catches, unless this stands in the line. It would be one
 * of this package, minified, and says nothing of what is wrong.
 */
const silent = { 'node-do-not-add-exception-line': Error.captureStackTrace }

const bases = { Error, RangeError, TypeError, URIError }

/**
 * Makes the class of an error code, as `@fastify/error` does: its errors have `code`, `name`, `statusCode`
 * and `message` as own enumerable properties.
 *
 * A function instead of a `class`, because codes are also called without `new`, and because dozens of them
 * are made at start-up.
 */
export function createError(
  code: string,
  message: string,
  statusCode = 500,
  base: BaseName = 'Error',
): FastifyErrorConstructor {
  const isOwn = OWN.test(code)
  function FastifyError(this: FastifyError, ...args: unknown[]): FastifyError | undefined {
    if (!new.target) return new constructor(...args)
    this.code = code
    this.name = 'FastifyError'
    this.statusCode = statusCode
    const last = args.at(-1)
    if (typeof last === 'object' && last !== null && 'cause' in last) {
      this.cause = last.cause
      args.pop()
    }
    this.message = format(message, ...args)
    if (Error.stackTraceLimit === 0) return undefined
    if (isOwn) silent['node-do-not-add-exception-line'](this)
    else Error.captureStackTrace(this, constructor)
    return undefined
  }
  const constructor = FastifyError as unknown as FastifyErrorConstructor
  const prototype = Object.create(bases[base].prototype)
  Object.defineProperty(prototype, 'constructor', {
    value: constructor,
    writable: true,
    configurable: true,
  })
  prototype[Symbol.toStringTag] = 'Error'
  prototype.toString = toString
  prototype[kCode] = code
  Object.defineProperty(constructor, Symbol.hasInstance, { value: hasInstance })
  FastifyError.prototype = prototype
  return constructor
}

/** Errors are instances of their code, whichever copy made them: a process may hold ES modules and CommonJS of one package. */
function hasInstance(this: { readonly prototype: object }, value: unknown): boolean {
  const { prototype } = this as { readonly prototype: Branded }
  if (!Object.hasOwn(prototype, kCode)) {
    // A class that derives from one of these.
    return Function.prototype[Symbol.hasInstance].call(this, value)
  }
  return typeof value === 'object' && (value as Branded | null)?.[kCode] === prototype[kCode]
}

interface Branded {
  readonly [kCode]?: string
}

function toString(this: FastifyError): string {
  return `${this.name} [${this.code}]: ${this.message}`
}
