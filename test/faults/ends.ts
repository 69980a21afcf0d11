/** The ways in which a function of an application can go wrong. */
import type { FastifyReply } from 'fastify'

export type Done = (error?: unknown, value?: unknown) => void

export interface Call {
  /** The result if nothing goes wrong. */
  readonly value: unknown
  /** How it says that it is done, if by a callback. */
  readonly done?: Done | undefined
  readonly reply?: FastifyReply | undefined
}

/** The abilities that a function needs to go wrong in this way. */
export type Ability = 'throw' | 'promise' | 'callback' | 'reply'

export interface End {
  readonly needs: readonly Ability[]
  run(call: Call): unknown
}

/** The error that is thrown, unless it matters. */
export const failure = (): Error => new Error('fault')

/** An error that cannot be looked at. */
function trap(): Error {
  const error = failure()
  // `stack` first: it is made of the others.
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

const go = ({ done, value }: Call): void => done?.(null, value)
const later = (run: () => void): void => void setImmediate(run)

const thrown: Record<string, () => unknown> = {
  throw: () => {
    throw failure()
  },
  throwStatus: () => {
    throw Object.assign(failure(), { statusCode: 422, code: 'FAULT' })
  },
  throwOddStatus: () => {
    throw Object.assign(failure(), { statusCode: 'four', code: 7 })
  },
  throwBadHeaders: () => {
    throw Object.assign(failure(), { headers: { 'x-bad': 'a\nb', 'b a d': '1' } })
  },
  throwText: () => {
    throw 'fault'
  },
  throwNothing: () => {
    throw undefined
  },
  throwTrap: () => {
    throw trap()
  },
  recurse: () => recurse(0),
}

const promised: Record<string, (call: Call) => unknown> = {
  reject: () => Promise.reject(failure()),
  rejectLater: () => new Promise((_resolve, reject) => later(() => reject(failure()))),
  rejectText: () => Promise.reject('fault'),
  rejectNothing: () => Promise.reject(undefined),
  rejectTrap: () => Promise.reject(trap()),
  thenThrows: () => ({
    // oxlint-disable-next-line unicorn/no-thenable
    then() {
      throw failure()
    },
  }),
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

const calledBack: Record<string, (call: Call) => unknown> = {
  error: ({ done }) => done?.(failure()),
  errorLater: ({ done }) => later(() => done?.(failure())),
  errorTextLater: ({ done }) => later(() => done?.('fault')),
  errorTrapLater: ({ done }) => later(() => done?.(trap())),
  twice: (call) => {
    go(call)
    go(call)
  },
  twiceLater: (call) => {
    go(call)
    later(() => go(call))
  },
  laterTwice: (call) =>
    later(() => {
      go(call)
      go(call)
    }),
  goesThenFails: (call) => {
    go(call)
    call.done?.(failure())
  },
  goesThenFailsLater: (call) => {
    go(call)
    later(() => call.done?.(failure()))
  },
  failsThenGoes: (call) => {
    call.done?.(failure())
    go(call)
  },
  failsThenGoesLater: (call) => {
    call.done?.(failure())
    later(() => go(call))
  },
  goesThenThrows: (call) => {
    go(call)
    throw failure()
  },
  failsThenThrows: (call) => {
    call.done?.(failure())
    throw failure()
  },
  goesThenRejects: (call) => {
    go(call)
    return Promise.reject(failure())
  },
  goesLaterAndRejects: (call) => {
    later(() => go(call))
    return Promise.reject(failure())
  },
}

const answered: Record<string, (call: Call) => unknown> = {
  answersThenThrows: ({ reply }) => {
    reply?.send({ answered: true })
    throw failure()
  },
  answersTwiceThenGoes: (call) => {
    call.reply?.send({ answered: true })
    call.reply?.send({ answered: 'again' })
    go(call)
    return call.value
  },
  answersBadly: ({ reply }) => reply?.type('text/plain').send(5 as never),
  spoilsHead: (call) => {
    call.reply?.header('x-bad', 'a\nb')
    go(call)
    return call.value
  },
  spoilsStatus: (call) => {
    if (call.reply) call.reply.raw.statusCode = 1000
    go(call)
    return call.value
  },
  sendsHeadThenThrows: ({ reply }) => {
    reply?.raw.writeHead(200)
    throw failure()
  },
  endsThenThrows: ({ reply }) => {
    reply?.raw.end('ended')
    throw failure()
  },
  hijacksThenThrows: ({ reply }) => {
    reply?.hijack()
    reply?.raw.end('hijacked')
    throw failure()
  },
  destroysThenThrows: ({ reply }) => {
    reply?.raw.destroy()
    throw failure()
  },
}

const needing = (
  needs: readonly Ability[],
  runs: Record<string, (call: Call) => unknown>,
): [string, End][] => Object.entries(runs).map(([name, run]) => [name, { needs, run }])

export const ends: ReadonlyMap<string, End> = new Map([
  ...needing(['throw'], thrown),
  ...needing(['promise'], promised),
  ...needing(['callback'], calledBack),
  ...needing(['reply'], answered),
])
