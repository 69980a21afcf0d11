import { contextOf } from '../context/index.ts'
import { errorCodes } from '../errors/index.ts'
import type { Instance } from '../serve/model.ts'
import type { BodyParser } from '../serve/content-type-parsers.ts'

interface ParserOptions {
  parseAs?: 'string' | 'buffer' | undefined
  bodyLimit?: number | undefined
}

/** `instance.addContentTypeParser`. @throws FST_ERR_CTP_* */
export function addContentTypeParser<This extends Instance>(
  this: This,
  contentType: unknown,
  options: ParserOptions | BodyParser | undefined,
  parse?: BodyParser,
): This {
  const context = contextOf(this)
  assertNotStarted(this, 'addContentTypeParser')
  if (typeof options === 'function') {
    parse = options
    options = undefined
  }
  const { parseAs, bodyLimit } = options ?? {}
  const limit = bodyLimit || context.app.bodyLimit
  for (const type of Array.isArray(contentType) ? contentType : [contentType]) {
    context.parsers.add(type, parseAs, limit, parse)
  }
  return this
}

/** `instance.hasContentTypeParser`. */
export function hasContentTypeParser(this: Instance, contentType: string | RegExp): boolean {
  return contextOf(this).parsers.has(contentType)
}

/** `instance.removeContentTypeParser`. @throws FST_ERR_CTP_* */
export function removeContentTypeParser(this: Instance, contentType: unknown): void {
  assertNotStarted(this, 'removeContentTypeParser')
  for (const type of Array.isArray(contentType) ? contentType : [contentType]) {
    contextOf(this).parsers.remove(type)
  }
}

/** `instance.removeAllContentTypeParsers`. @throws FST_ERR_CTP_INSTANCE_ALREADY_STARTED */
export function removeAllContentTypeParsers(this: Instance): void {
  assertNotStarted(this, 'removeAllContentTypeParsers')
  contextOf(this).parsers.removeAll()
}

function assertNotStarted(instance: Instance, method: string): void {
  if (!contextOf(instance).app.state.started) return
  throw new errorCodes.FST_ERR_CTP_INSTANCE_ALREADY_STARTED(method)
}
