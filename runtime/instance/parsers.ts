import { contextOf } from '../context/index.ts'
import { errorCodes } from '../errors/index.ts'
import type { Instance } from '../serve/model.ts'
import { parseText, type BodyParser } from '../serve/content-type-parsers.ts'

interface ParserOptions {
  parseAs?: 'string' | 'buffer' | undefined
  bodyLimit?: number | undefined
}

export const parserMethods: Record<string, unknown> = {
  /** @throws FST_ERR_CTP_* */
  addContentTypeParser<This extends Instance>(
    this: This,
    contentType: unknown,
    options: ParserOptions | BodyParser | undefined,
    parse?: BodyParser,
  ): This {
    const context = contextOf(this)
    assertCanChangeParsers(this, 'addContentTypeParser')
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
  },

  hasContentTypeParser(this: Instance, contentType: string | RegExp): boolean {
    return contextOf(this).parsers.has(contentType)
  },

  /** @throws FST_ERR_CTP_* */
  removeContentTypeParser(this: Instance, contentType: unknown): void {
    assertCanChangeParsers(this, 'removeContentTypeParser')
    for (const type of Array.isArray(contentType) ? contentType : [contentType]) {
      contextOf(this).parsers.remove(type)
    }
  },

  /** @throws FST_ERR_CTP_INSTANCE_ALREADY_STARTED */
  removeAllContentTypeParsers(this: Instance): void {
    assertCanChangeParsers(this, 'removeAllContentTypeParsers')
    contextOf(this).parsers.removeAll()
  },

  defaultTextParser: parseText,
}

function assertCanChangeParsers(instance: Instance, method: string): void {
  if (!contextOf(instance).app.state.started) return
  throw new errorCodes.FST_ERR_CTP_INSTANCE_ALREADY_STARTED(method)
}
