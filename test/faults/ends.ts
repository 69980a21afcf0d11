/** The ways in which a function of an application can fail. */
import type { FastifyReply } from 'fastify'

export type Done = (error?: unknown, value?: unknown) => void

export interface Call {
  /** The result if nothing fails. */
  readonly value: unknown
  /** How it signals its end, if by a callback. */
  readonly done?: Done | undefined
  readonly reply?: FastifyReply | undefined
}

/** The abilities that a function needs to fail in this way. */
export type Ability = 'throw' | 'promise' | 'callback' | 'reply'

export interface End {
  readonly needs: readonly Ability[]
  run(call: Call): unknown
}

/** The error that is thrown, unless another one is needed. */
export const failure = (): Error => new Error('fault')

/** An error whose properties can't be read. */
function trap(): Error {
  const error = failure()
  // `stack` first: it's composed of the others.
  for (const name of ['stack', 'message', 'statusCode', 'status', 'code', 'headers']) {
    Object.defineProperty(error, name, {
      get() {
        throw new Error(`fault of ${name}`)
      },
    })
  }
  return error
}

function recurse(depth: number): number {
  return recurse(depth + 1) + 1
}

type Run = (call: Call) => unknown

const go = ({ done, value }: Call): void => done?.(null, value)
/** Continues, in a function with a callback and in one without. */
const goOn = (call: Call): unknown => {
  go(call)
  return call.value
}
const fail = ({ done }: Call): void => done?.(failure())
const reject = (): Promise<never> => Promise.reject(failure())
const later = (run: () => void): void => void setImmediate(run)

export const throwing = (): never => {
  throw failure()
}

function throws(make: () => unknown): Run {
  return () => {
    throw make()
  }
}

function afterwards(run: Run): Run {
  return (call) => later(() => run(call))
}

/** Calls one after the other, and returns the result of the last one. */
function inTurn(...runs: readonly Run[]): Run {
  return (call) => runs.map((run) => run(call)).at(-1)
}

const thrown: Record<string, Run> = {
  throw: throwing,
  throwStatus: throws(() => Object.assign(failure(), { statusCode: 422, code: 'FAULT' })),
  throwOddStatus: throws(() => Object.assign(failure(), { statusCode: 'four', code: 7 })),
  throwBadHeaders: throws(() =>
    Object.assign(failure(), { headers: { 'x-bad': 'a\nb', 'b a d': '1' } }),
  ),
  throwText: throws(() => 'fault'),
  throwNothing: throws(() => undefined),
  throwTrap: throws(trap),
  recurse: () => recurse(0),
}

const promised: Record<string, Run> = {
  reject,
  rejectLater: () => new Promise((_resolve, reject) => later(() => reject(failure()))),
  rejectText: () => Promise.reject('fault'),
  rejectNothing: () => Promise.reject(undefined),
  rejectTrap: () => Promise.reject(trap()),
  // oxlint-disable-next-line unicorn/no-thenable
  thenThrows: () => ({ then: throwing }),
  thenCallsAll: ({ value }) => ({
    // oxlint-disable-next-line unicorn/no-thenable
    then(resolve: Done, reject: Done) {
      resolve(value)
      reject(failure())
      resolve(value)
      throw failure()
    },
  }),
}

const calledBack: Record<string, Run> = {
  error: fail,
  errorLater: afterwards(fail),
  errorTextLater: afterwards(({ done }) => done?.('fault')),
  errorTrapLater: afterwards(({ done }) => done?.(trap())),
  twice: inTurn(go, go),
  twiceLater: inTurn(go, afterwards(go)),
  laterTwice: afterwards(inTurn(go, go)),
  goesThenFails: inTurn(go, fail),
  goesThenFailsLater: inTurn(go, afterwards(fail)),
  failsThenGoes: inTurn(fail, go),
  failsThenGoesLater: inTurn(fail, afterwards(go)),
  goesThenThrows: inTurn(go, throwing),
  failsThenThrows: inTurn(fail, throwing),
  goesThenRejects: inTurn(go, reject),
  goesLaterAndRejects: inTurn(afterwards(go), reject),
}

const answered: Record<string, Run> = {
  answersThenThrows: inTurn(({ reply }) => reply?.send({ answered: true }), throwing),
  answersTwiceThenGoes: (call) => {
    call.reply?.send({ answered: true })
    call.reply?.send({ answered: 'again' })
    return goOn(call)
  },
  answersBadly: ({ reply }) => reply?.type('text/plain').send(5 as never),
  spoilsHead: inTurn(({ reply }) => reply?.header('x-bad', 'a\nb'), goOn),
  spoilsStatus: (call) => {
    if (call.reply) call.reply.raw.statusCode = 1000
    return goOn(call)
  },
  sendsHeadThenThrows: inTurn(({ reply }) => reply?.raw.writeHead(200), throwing),
  endsThenThrows: inTurn(({ reply }) => reply?.raw.end('ended'), throwing),
  hijacksThenThrows: inTurn(({ reply }) => reply?.hijack().raw.end('hijacked'), throwing),
  destroysThenThrows: inTurn(({ reply }) => reply?.raw.destroy(), throwing),
}

/** Ways that need the same abilities, by name. */
export const needing = (needs: readonly Ability[], runs: Record<string, Run>): [string, End][] =>
  Object.entries(runs).map(([name, run]) => [name, { needs, run }])

export const ends: ReadonlyMap<string, End> = new Map([
  ...needing(['throw'], thrown),
  ...needing(['promise'], promised),
  ...needing(['callback'], calledBack),
  ...needing(['reply'], answered),
])
