/** Generates random applications of hooks, error handlers, 404 handlers and routes, as data. */
import fc from 'fast-check'
import {
  type CheckEnd,
  checkEnds,
  errorHandlerEnds,
  handlerEnds,
  HOOKS,
  type HookName,
  type HookStep,
} from './lifecycle-functions.ts'

export interface ParserStep {
  readonly kind: 'parser'
  readonly type: 'application/json' | 'text/*' | '*'
  readonly end: CheckEnd
}

/** A reply serializer for the context. */
export interface SerializerStep {
  readonly kind: 'serializer'
  readonly fails: boolean
}

export interface ErrorHandlerStep {
  readonly kind: 'errorHandler'
  readonly end: string
}

export interface NotFoundStep {
  readonly kind: 'notFound'
  readonly hooks: readonly HookStep[]
  readonly end: string
}

export interface RouteStep {
  readonly kind: 'route'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly hooks: readonly HookStep[]
  readonly end: string
  readonly errorHandler: string | null
  /** How its validator of the body ends; `null` without one. */
  readonly check: CheckEnd | null
  readonly attachValidation: boolean
}

export interface ContextStep {
  readonly kind: 'context'
  /** Registers into its parent, as with fastify-plugin. */
  readonly isWrapped: boolean
  readonly prefix: string
  readonly steps: readonly Step[]
}

export type Step =
  | HookStep
  | ErrorHandlerStep
  | NotFoundStep
  | ParserStep
  | SerializerStep
  | RouteStep
  | ContextStep

// Most hooks continue, so that requests reach later steps.
const continuing = ['callback', 'later', 'async'] as const
const mostly = [...continuing, ...continuing, ...continuing]
const fails = ['error', 'throw', 'throwText', 'reject', 'rejectNothing'] as const

function endsOf(name: HookName): readonly string[] {
  switch (name) {
    case 'preSerialization':
      return [...mostly, ...fails, 'replace', 'replaceByNumber']
    case 'onSend':
      return [
        ...mostly,
        ...fails,
        'replace',
        'replaceByStream',
        'replaceByBuffer',
        'replaceByNothing',
        'hijack',
      ]
    case 'onResponse':
    case 'onError':
      return [...continuing, ...continuing, ...fails]
    default:
      return [
        ...mostly,
        ...continuing,
        'head',
        ...fails,
        'answer',
        'answerAndGoOn',
        'answerLater',
        'asyncAnswer',
        'answerError',
        'hijack',
        'notFound',
      ]
  }
}

const hook: fc.Arbitrary<HookStep> = fc.constantFrom(...HOOKS).chain((name) =>
  fc.record({
    kind: fc.constant('hook' as const),
    name: fc.constant(name),
    end: fc.constantFrom(...endsOf(name)),
  }),
)

const hooks = fc.array(hook, { maxLength: 2 })

const handlerEnd = fc.constantFrom(...Object.keys(handlerEnds))
const errorHandlerEnd = fc.constantFrom(...Object.keys(errorHandlerEnds))
const checkEnd = fc.constantFrom(...(Object.keys(checkEnds) as CheckEnd[]))

const parser: fc.Arbitrary<ParserStep> = fc.record({
  kind: fc.constant('parser' as const),
  type: fc.constantFrom('application/json' as const, 'text/*' as const, '*' as const),
  end: checkEnd,
})

const serializer: fc.Arbitrary<SerializerStep> = fc.record({
  kind: fc.constant('serializer' as const),
  fails: fc.boolean(),
})

const path = fc.constantFrom('/', '/a', '/b', '/:id')
const prefix = fc.constantFrom('', '', '/p', '/q')

const errorHandler: fc.Arbitrary<ErrorHandlerStep> = fc.record({
  kind: fc.constant('errorHandler' as const),
  end: errorHandlerEnd,
})

const notFound: fc.Arbitrary<NotFoundStep> = fc.record({
  kind: fc.constant('notFound' as const),
  hooks,
  end: handlerEnd,
})

const route: fc.Arbitrary<RouteStep> = fc.record({
  kind: fc.constant('route' as const),
  method: fc.constantFrom('GET' as const, 'POST' as const),
  path,
  hooks,
  end: handlerEnd,
  errorHandler: fc.option(errorHandlerEnd, { freq: 4 }),
  check: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, checkEnd),
  attachValidation: fc.boolean(),
})

const { steps } = fc.letrec<{ steps: readonly Step[]; context: ContextStep }>((tie) => ({
  steps: fc.array(
    fc.oneof(
      { maxDepth: 3 },
      { weight: 4, arbitrary: route },
      { weight: 4, arbitrary: hook },
      { weight: 1, arbitrary: errorHandler },
      { weight: 1, arbitrary: notFound },
      { weight: 1, arbitrary: parser },
      { weight: 1, arbitrary: serializer },
      { weight: 3, arbitrary: tie('context') },
    ),
    { maxLength: 6 },
  ) as fc.Arbitrary<readonly Step[]>,
  context: fc.record({
    kind: fc.constant('context' as const),
    isWrapped: fc.boolean(),
    prefix,
    steps: tie('steps'),
  }),
}))

/** Any application. */
export const programs: fc.Arbitrary<readonly Step[]> = steps
