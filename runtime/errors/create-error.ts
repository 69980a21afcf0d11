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

/** Names of the base classes. */
export type BaseName = 'Error' | 'RangeError' | 'TypeError' | 'URIError'

/** Codes of this package that Fastify doesn't have. */
const FRAMEWORK_CODE = /^FST_ERR_(?:AOT|DEPLOY)_/

/**
 * Captures a stack. For uncaught errors, Node prints the line of source that captured it, which here is one of this package and explains
 * nothing, unless that line contains the text `node-do-not-add-exception-line`.
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
  const isFrameworkCode = FRAMEWORK_CODE.test(code)
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
    if (isFrameworkCode) withoutLine['node-do-not-add-exception-line'](this)
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
  // Like @fastify/error 4, `instanceof` recognises an error by this brand, even if another copy of the package created it: a process may
  // load the package both as ES modules and as CommonJS, and plugins have their own copy. Not enumerable, so that deep comparisons ignore it.
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
