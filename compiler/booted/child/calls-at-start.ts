/** Notes calls of an application or its packages that Workers allow only during requests. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import timers from 'node:timers'
import type { CallAtStart } from '../../model/index.ts'
import type { Place } from '../../util/stack.ts'
import { frames, isOwn, isServer } from './places.ts'

export const callsAtStart: CallAtStart[] = []

const timing = ['setInterval', 'setTimeout']

export function noteCallsAtStart(): void {
  const webCrypto = Object.getPrototypeOf(globalThis.crypto) as object
  note(webCrypto, ['getRandomValues', 'randomUUID'], 'makes random values')
  note(crypto, ['randomBytes', 'randomFillSync', 'randomInt', 'randomUUID'], 'makes random values')
  for (const owner of [timers, globalThis]) note(owner, timing, 'starts a timer')
  note(globalThis, ['fetch'], 'sends a request')
  note(net, ['connect', 'createConnection'], 'opens a connection')
  syncBuiltinESMExports()
}

function note(owner: object, names: readonly string[], what: string): void {
  const members = owner as Record<string, ((...args: unknown[]) => unknown) | undefined>
  for (const name of names) {
    const original = members[name]
    if (original === undefined) continue
    const noting = function (this: unknown, ...args: unknown[]): unknown {
      add(what, frames(noting, 1)[0])
      return Reflect.apply(original, this, args)
    }
    // `setTimeout` has a promisified form.
    members[name] = Object.defineProperties(noting, Object.getOwnPropertyDescriptors(original))
  }
}

function add(what: string, at: Place | undefined): void {
  // A deployment has `framework` in place of Fastify.
  if (at === undefined || isOwn(at.file) || isServer(at.file)) return
  const isKnown = callsAtStart.some((one) => one.at.file === at.file && one.at.line === at.line)
  if (!isKnown) callsAtStart.push({ what, at })
}
