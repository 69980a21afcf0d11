import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const module = new URL('../../../compiler/report/thread-errors.js', import.meta.url).href

test("an error that a thread can't clone has a message and a stack as any other", async () => {
  for (const [text, expected] of [
    ['postMessage({ call() {} })', /^DataCloneError: call\(\) \{\} could not be cloned\.\n +at /],
    ["throw new TypeError('wrong')", /^TypeError: wrong\n +at /],
  ] as const) {
    const thread = new Worker(
      `const port = require('node:worker_threads').parentPort
const postMessage = (message) => port.postMessage(message)
import(${JSON.stringify(module)}).then(({ keepErrors }) => { keepErrors(); ${text} })`,
      { eval: true },
    )
    const [error] = (await once(thread, 'error')) as [unknown]
    assert.ok(error instanceof Error)
    assert.match(error.stack ?? '', expected)
  }
})
