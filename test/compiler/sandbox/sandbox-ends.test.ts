/** Code that computes a schema may break its sandbox, wait for ever or read the environment: then only this schema is unknown, with the reason, and the build continues. */
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

/** Each call waits ten seconds for a connection, as clients of databases do. */
const client = `
export const connected = () => new Promise((resolve) => setTimeout(resolve, 10000))
export const find = async (name) => { await connected(); return [{ name }] }
export const soon = async (maxLength) => {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { type: 'string', maxLength }
}
export const fire = () => { find('nobody waits for it') }
`

test('many calls that wait for a database', { timeout: 60_000 }, async () => {
  const slow: string[] = []
  const start = performance.now()
  const { schemas, diagnostics } = await scanPackage({
    tool: () => client,
    app: `import { connected, find, fire, soon } from 'tool'
      await connected()
      fire()
      const users = await find('users')
      app.get('/users', { schema: { querystring: { enum: users.map((user) => user.name) } } }, () => {})
      const books = await find('books')
      app.get('/books', { schema: { querystring: { enum: books } } }, () => {})
      app.get('/soon', { schema: { querystring: await soon(3) } }, () => {})
      const others = await find('others')
      if (others.length === 0) app.get('/others', () => {})`,
    onSlow: (name) => slow.push(name),
  })
  const seconds = (performance.now() - start) / 1000
  assert.ok(seconds < 20, `${seconds} s`)
  // On a busy machine, loading the package is slow as well.
  const [first] = slow.filter((name) => name.startsWith('`await'))
  assert.equal(first, "`await find('users')` (app.js:6:21)")
  const reasons = diagnostics.map((message) => / application: (.*) Move it/.exec(message)?.[1])
  assert.deepEqual(reasons, [
    "`await find('users')` (app.js:6:21) never settles.",
    "`await find('books')` (app.js:8:21) never settles.",
  ])
  assert.deepEqual(schemas.get('/soon'), { querystring: { type: 'string', maxLength: 3 } })
})

test('what follows from a value that nothing computes is not asked for again and again', async () => {
  const { requests } = await scanPackage({
    tool: () => 'export const query = () => { throw new Error("no database") }',
    app: `import { query } from 'tool'
      const rows = query()
      const sort = () => rows.sort((a, b) => a.id - b.id)
      for (const name of ['a', 'b', 'c']) {
        sort()
        if (rows.length > 0 && rows.find((row) => row.name === name)?.isOpen) app.get('/' + name, () => '')
      }`,
  })
  assert.ok(requests <= 2, `${requests} requests`)
})

test('what reads something that depends on a condition is not asked for', async () => {
  const { requests } = await scanPackage({
    tool: () => 'export const connect = ({ host }) => ({ query: (text) => ({ host, text }) })',
    app: `import { connect } from 'tool'
      const host = process.env.HOST ? 'here' : 'there'
      for (const name of ['a-b', 'c-d', 'e-f']) {
        const client = connect({ host, name: name.replaceAll(/-/g, '_') })
        const rows = client.query('select ' + host)
        if (rows.some((row) => row.isOpen)) app.get('/' + name, () => '')
      }`,
  })
  // One for the text of each name.
  assert.ok(requests <= 3, `${requests} requests`)
})

test('a package that is never loaded', { timeout: 60_000 }, async () => {
  const { diagnostics } = await scanPackage({
    tool: () => 'await new Promise((resolve) => setTimeout(resolve, 10000))\nexport const one = {}',
    app: `import { one } from 'tool'
      app.get('/', { schema: { querystring: one } }, () => {})`,
  })
  const [message = ''] = diagnostics
  assert.match(message, /the package "tool" cannot be loaded: its top-level await never settles\./)
})

/** Reads the variables with the given names; `all` reads every variable, and `given` none. */
const tool = (): string => `
  export const read = (names) => {
    const values = names.map((name) => [name, Number(process.env[name] ?? 1)])
    return { nested: Object.fromEntries(values), ...Object.fromEntries(values), sum: 1 }
  }
  export const all = () => ({ ...process.env, LIMIT: 1 })
  export const given = ({ data }) => ({ ...data })
`

async function reasons(expressions: readonly string[]): Promise<string[]> {
  const routes = expressions.map(
    (maximum, index) =>
      `app.get('/${index}', { schema: { querystring: { limit: { type: 'integer', maximum: ${maximum} } } } }, () => 1)`,
  )
  const app = `import { all, given, read } from 'tool'\n${routes.join('\n')}`
  const { diagnostics } = await scanPackage({ tool, app })
  return diagnostics.map((message) => / application: (.*?)\. Move/.exec(message)?.[1] ?? message)
}

const many = "['A', 'B', 'C', 'D', 'E', 'LIMIT']"

test('a value made of several variables depends on the one that it is named for', async () => {
  const found = await reasons([
    "read(['HOST', 'LIMIT']).LIMIT",
    "read(['HOST', 'LIMIT']).nested.LIMIT",
    "read(['HOST', 'LIMIT']).sum",
    `read(${many}).LIMIT`,
    `read(${many}).sum`,
    "read(['HOST']).LIMIT",
    'all().LIMIT',
    'given({ data: { HOST: process.env.HOST, LIMIT: process.env.LIMIT } }).LIMIT',
    'given({ data: process.env }).LIMIT',
    'given({ data: [process.env.HOST, process.env.LIMIT] })[1]',
  ])
  const of = (name: string): string =>
    `it is \`${name}\` of a value that depends on the environment`
  assert.deepEqual(found, [
    'it depends on the environment variable `LIMIT`',
    'it depends on the environment variable `LIMIT`',
    `${of('sum')} variables \`HOST\`, \`LIMIT\``,
    'it depends on the environment variable `LIMIT`',
    `${of('sum')} variables \`A\`, \`B\`, \`C\` and 3 more`,
    `${of('LIMIT')} variable \`HOST\``,
    of('LIMIT'),
    'it depends on the environment variable `LIMIT`',
    of('LIMIT'),
    `${of('1')} variables \`HOST\`, \`LIMIT\``,
  ])
})
