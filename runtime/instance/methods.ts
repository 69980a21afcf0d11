import { assertAsyncArity, pushHook } from '../context/hooks.ts'
import { decoratorMethods } from './decorate.ts'
import { ErrorHandler } from '../serve/error-handler.ts'
import { errorCodes } from '../errors/index.ts'
import { schemaMethods } from './schema.ts'
import type { ChildLoggerFactory, ErrorHandlerFunction, Instance } from '../serve/model.ts'
import { assertNotStarted, contextOf, type Context } from '../context/index.ts'
import { parserMethods } from './parsers.ts'

/** Methods that need nothing besides the instance's context. */
export const instanceMethods: Record<string, unknown> = {
  ...schemaMethods,
  ...parserMethods,
  ...decoratorMethods,

  addHook,

  setErrorHandler<This extends Instance>(this: This, handler: ErrorHandlerFunction): This {
    assertNotStarted(this, 'setErrorHandler')
    const context = contextOf(this)
    context.app.line.assertErrorHandler(handler, context.app, context.hasErrorHandler)
    context.hasErrorHandler = true
    context.errorHandler = new ErrorHandler(handler.bind(this), context.errorHandler)
    return this
  },

  setChildLoggerFactory<This extends Instance>(this: This, factory: ChildLoggerFactory): This {
    assertNotStarted(this, 'setChildLoggerFactory')
    contextOf(this).childLoggerFactory = factory
    return this
  },

  hasPlugin(this: Instance, name: string): boolean {
    const { pluginNames, registeredPlugins } = contextOf(this)
    return pluginNames.includes(name) || registeredPlugins.includes(name)
  },

  /** Only affects types. */
  withTypeProvider<This extends Instance>(this: This): This {
    return this
  },
}

function addHook<This extends Instance>(this: This, name: string, given: unknown): This {
  assertNotStarted(this, 'addHook')
  if (given === null || given === undefined) {
    throw new errorCodes.FST_ERR_HOOK_INVALID_HANDLER(name, given)
  }
  const context = contextOf(this)
  const { line } = context.app
  const hook = line.readHook(name, given, this)
  assertAsyncArity(name, hook)
  if (name === 'onClose') this.onClose(hook as Parameters<Instance['onClose']>[0])
  else if (line.immediateHooks.has(name)) pushHook(context.hooks, name, hook)
  else context.app.boot.defer({ run: () => addToContexts(context, name, hook) })
  return this
}

function addToContexts(context: Context, name: string, hook: unknown): void {
  pushHook(context.hooks, name, hook)
  // `close` runs the hooks of all contexts. In several of them, this one would run several times.
  if (name === 'preClose') return
  for (const child of context.children) addToContexts(child, name, hook)
}
