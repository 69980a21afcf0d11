/** Closes what the sandbox of a booted application leaves open: threads, which Node's module hooks need, and hooks of the application. */
import { EventEmitter } from 'node:events'
import inspector from 'node:inspector'
import module, { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { refusal } from '../../sandbox/child/describe-error.ts'
import { denyAccess } from '../../sandbox/child/guard.ts'

/** A thread that never starts. Most applications create one to log in it, and don't wait for it. */
class IdleWorker extends EventEmitter {
  readonly threadId = -1
  postMessage(): void {}
  ref(): void {}
  unref(): void {}
  terminate(): Promise<number> {
    return Promise.resolve(0)
  }
}

export function confine(): void {
  denyAccess()
  const refuse = function (): never {
    throw new Error(refusal)
  }
  Object.assign(threads, { Worker: IdleWorker })
  // Such hooks run in a thread, where nothing of this holds.
  Object.assign(module, { register: refuse })
  Object.assign(inspector, { open: refuse, Session: refuse })
  syncBuiltinESMExports()
}
