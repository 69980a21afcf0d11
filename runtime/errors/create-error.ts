import { format } from '../platform/index.ts'

/** An error of the framework. `code` is stable and public; `statusCode` is the response's status. */
export interface FastifyError extends Error {
  code: string
  name: string
  statusCode?: number
}

/** The class of an error code. It can be called with or without `new`. */
export interface FastifyErrorConstructor {
  /** Arguments fill the `%s` of the message. A final `{ cause }` becomes the error's cause. */
  new (...args: unknown[]): FastifyError
  (...args: unknown[]): FastifyError
  readonly prototype: FastifyError
}

/** Base classes by name. */
export type BaseName = 'Error' | 'RangeError' | 'TypeError' | 'URIError'

/** Codes that Fastify doesn't have. */
const OWN_CODE = /^FST_ERR_(?:AOT|DEPLOY)_/

/**
 * For uncaught errors Node prints the line that captured their stack, unless the line contains this text. Otherwise it would print a line
 * of this package, which explains nothing.
 */
const withoutLine = { 'node-do-not-add-exception-line': Error.captureStackTrace }

const bases = { Error, RangeError, TypeError, URIError }

/**
 * Creates the class of an error code like `@fastify/error`: errors have `code`, `name`, `statusCode` and
 * `message` as own enumerable properties.
 *
 * A function instead of a `class`, because codes are also called without `new`, and dozens of them are
 * created at startup.
 */
export function createError(
  code: string,
  message: string,
  statusCode = 500,
  base: BaseName = 'Error',
): FastifyErrorConstructor {
  const isOwn = OWN_CODE.test(code)
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
    if (isOwn) withoutLine['node-do-not-add-exception-line'](this)
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
  // Marks the errors of a code, as @fastify/error 4 does, whichever copy of the package made them: a process may load both its ES
  // modules and its CommonJS, and plugins have their own copy. Not enumerable: deep comparisons would show it.
  const brand = Symbol.for(`fastify-error ${code}`)
  Object.defineProperty(prototype, brand, { value: true })
  Object.defineProperty(constructor, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Derived classes inherit this.
      if (this !== constructor) return Function.prototype[Symbol.hasInstance].call(this, value)
      return (
        typeof value === 'object' && (value as Record<symbol, unknown> | null)?.[brand] === true
      )
    },
  })
  FastifyError.prototype = prototype
  return constructor
}

function toString(this: FastifyError): string {
  return `${this.name} [${this.code}]: ${this.message}`
}
