/** Code that computes a schema may break its sandbox: then only this schema is unknown, and the build continues. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanPackage } from '../../support/scan-package.ts'

/** The body of the function `schema`, which the application calls and awaits, and the reason why its result is unknown. */
const cases: Readonly<Record<string, readonly [body: string, why: RegExp]>> = {
  'process.kill': ["process.kill(process.pid, 'SIGKILL')", /a schema may not write files, nor use/],
  'process.exit': ['process.exit(1)', /a schema may not/],
  'process.abort': ['process.abort()', /a schema may not/],
  'a timer that throws': [
    "setTimeout(() => { throw new Error('too late') }, 5); return new Promise(() => {})",
    /`await bad\(\)` \(app\.js:5:\d+\) never settles: code that it left running throws "too late"/,
  ],
  'a timer that throws, and nobody listens': [
    "process.removeAllListeners('uncaughtException'); setTimeout(() => { throw new Error('too late') }, 5); return new Promise(() => {})",
    /`await bad\(\)` \(app\.js:5:\d+\) ends its process \(Error: too late\)/,
  ],
  'a promise that nothing settles': [
    'return new Promise(() => {})',
    /`await bad\(\)` \(app\.js:5:\d+\) never settles\./,
  ],
  'a promise that nothing settles, and nobody listens': [
    "process.removeAllListeners('beforeExit'); return new Promise(() => {})",
    / ends its process \(code \d+\)/,
  ],
  'a rejection that nobody takes': [
    "Promise.reject(new Error('refused')); return new Promise(() => {})",
    /left running throws "refused"/,
  ],
  'an endless recursion': [
    'const f = () => 1 + f(); return f()',
    /Maximum call stack size exceeded/,
  ],
  'something thrown that has no text': [
    'throw Object.create(null)',
    /something is thrown that has no text/,
  ],
  'a getter that throws': ["return { get type() { throw new Error('no') } }", /no/],
  'the pipe is closed': [
    "require('fs').closeSync(3); return { type: 'string' }",
    / ends its process /,
  ],
  'nonsense on the pipe': [
    "require('fs').writeSync(3, 'nonsense that is longer than its length says'.repeat(100))",
    / gives no answer that can be read/,
  ],
  'a forged answer': [
    `const answer = require('v8').serialize([{ type: 'plain', value: 1 }])
    const head = Buffer.alloc(4)
    head.writeUInt32LE(answer.length)
    require('fs').writeSync(3, Buffer.concat([head, answer]))`,
    / gives no answer that can be read/,
  ],
  'a patched MessagePort': [
    "MessagePort.prototype.postMessage = () => { throw new Error('mine') }; process.emit = () => { throw new Error('mine') }; throw new Error('own')",
    /own/,
  ],
  'patched timers': [
    'globalThis.setTimeout = globalThis.setImmediate = () => 0; return new Promise(() => {})',
    /never settles/,
  ],
}

for (const [name, [body, why]] of Object.entries(cases)) {
  test(`${name} ends one evaluation`, async () => {
    const { schemas, diagnostics } = await scanPackage({
      tool: () => `
        import { createRequire } from 'node:module'
        const require = createRequire(import.meta.url)
        export const good = (maxLength) => ({ type: 'string', maxLength })
        export const bad = () => { ${body} }`,
      app: `import { good, bad } from 'tool'
        app.get('/before', { schema: { querystring: good(1) } }, () => {})
        app.get('/bad', { schema: { querystring: await bad() } }, () => {})
        if (good(2).maxLength === 2) app.get('/after', { schema: { querystring: good(3) } }, () => {})`,
    })
    const [first = '', ...others] = diagnostics
    assert.match(
      first,
      /^The querystring of the schema of GET \/bad cannot be (?:known without|computed)/,
    )
    assert.match(first, why)
    assert.deepEqual(others, [])
    assert.deepEqual(schemas.get('/before'), { querystring: { type: 'string', maxLength: 1 } })
    assert.deepEqual(schemas.get('/after'), { querystring: { type: 'string', maxLength: 3 } })
  })
}

for (const method of [
  'Promise.prototype.then',
  'Array.prototype.map',
  'Array.prototype.push',
  'Map.prototype.get',
  'WeakMap.prototype.get',
  'String.prototype.split',
  'Object.entries',
  'Buffer.allocUnsafeSlow',
  'EventEmitter.prototype.emit',
]) {
  test(`a patched ${method} ends no build`, async () => {
    const { diagnostics } = await scanPackage({
      tool: () => `
        import { EventEmitter } from 'node:events'
        export const bad = () => { ${method} = () => { throw new Error('patched') } }`,
      app: `import { bad } from 'tool'
        app.get('/bad', { schema: { querystring: await bad() } }, () => {})
        app.get('/worse', { schema: { querystring: bad('again').worse } }, () => {})`,
    })
    for (const message of diagnostics)
      assert.match(message, /cannot be (?:known without running|computed)/)
  })
}
