/** Short forms of schemas, handlers and requests. */
import type { FastifyRequest, InjectOptions } from 'fastify'

export const object = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
})
export const integer = { type: 'integer' }
export const text = { type: 'string' }

export const echo = async (request: FastifyRequest): Promise<unknown> => {
  const { params, query, body, headers, validationError } = request
  return { params, query, body, x: headers['x-count'], invalid: validationError?.message }
}

export const post = (url: string, payload?: object, headers: object = {}): InjectOptions => ({
  method: 'POST',
  url,
  ...(payload && { payload }),
  headers: { ...headers },
})
