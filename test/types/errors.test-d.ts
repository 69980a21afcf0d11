import createError, { type FastifyError as CreatedError } from '@fastify/error'
import framework, {
  errorCodes,
  type ConnectionError,
  type FastifyError,
  type FastifyErrorCodes,
  type FastifyErrorConstructor,
  type ValidationResult,
} from 'framework'
import { errorCodes as oracle } from 'fastify'
import { same, type Equal, type Expect } from './expect.ts'

// An error is the one that `@fastify/error` makes.
export type OneError = Expect<Equal<FastifyError, CreatedError>>
declare const error: FastifyError
same<string>()(error.code)
same<number | undefined>()(error.statusCode)
same<ValidationResult[] | undefined>()(error.validation as ValidationResult[] | undefined)
same<'body' | 'headers' | 'params' | 'querystring' | undefined>()(error.validationContext)
const OutOfStock = createError('OUT_OF_STOCK', 'No %s left', 409)
framework().get('/', async () => {
  throw new OutOfStock('books')
})

// The catalogue.
same<FastifyErrorCodes>()(errorCodes)
const NotFound: FastifyErrorConstructor = errorCodes.FST_ERR_NOT_FOUND
framework().setErrorHandler((failure) => {
  if (failure instanceof errorCodes.FST_ERR_CTP_BODY_TOO_LARGE) same<string>()(failure.code)
})
// @ts-expect-error no such code
errorCodes.FST_ERR_NO_SUCH
/** One set of declarations serves both lines. */
type LaterCodes = keyof typeof import('fastify-5').errorCodes
// Every code that Fastify's types know, and no other.
export type Codes = [
  Expect<Equal<Exclude<keyof typeof oracle, keyof typeof errorCodes>, never>>,
  Expect<Equal<Exclude<keyof typeof errorCodes, keyof typeof oracle | LaterCodes>, never>>,
]
declare const connection: ConnectionError
same<number>()(connection.bytesParsed)
