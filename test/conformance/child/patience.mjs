// Keeps one stuck block from taking the rest of its file down with it. tap runs blocks one after another; a block
// that never ends would leave the rest in its queue. So when there is no event left to wait for, or the same block
// has run for five seconds, that block is ended as failed.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { setInterval, setImmediate } = globalThis
const { PEER_SUITE: suite } = process.env
const require = createRequire(join(suite, 'test/_.js'))
const tapFile = require.resolve('tap')
const tickMs = 250
const blockMs = 5000

const givenUp = new WeakSet()
let innermost
let ticks = 0
let patience = blockMs

const emit = process.emit
process.emit = function (name, ...args) {
  return (name === 'beforeExit' && giveUpOne()) || emit.call(this, name, ...args)
}

setInterval(() => {
  const current = runningTests().at(-1)
  ticks = current === innermost ? ticks + 1 : 0
  innermost = current
  if (current === undefined || ticks * tickMs < patience) return
  ticks = 0
  patience = blockMs / 2
  if (giveUpOne()) return
  // Every block is done, but a server or socket was left open.
  if (!root().results) root().endAll()
  process.exit()
}, tickMs).unref()

function root() {
  return require.cache[tapFile]?.exports
}

/** The root and the blocks that run now, outermost first. */
function runningTests() {
  const tests = []
  for (let test = root(); test?.queue; test = test.occupied) tests.push(test)
  return tests
}

/** Ends what the innermost block waits for; false if there is nothing left to end. */
function giveUpOne() {
  const tests = runningTests().reverse()
  const inTeardown = tests.find((test) => test.processing && !test.occupied && test.queue.length)
  const block = tests.find((test) => test !== root() && !givenUp.has(test))
  const assertion = tests[0]?.occupied
  if (assertion?.abort) {
    // `t.resolves()` or `t.rejects()` on a promise that never settles.
    assertion.abort(new Error('test unfinished'))
  } else if (inTeardown) {
    inTeardown.processing = false
    inTeardown.process()
  } else if (block) {
    givenUp.add(block)
    block.endAll(true)
  } else {
    return false
  }
  // Keeps the loop alive until tap has started the next block.
  setImmediate(() => {})
  return true
}
