/** `framework dev` with problems: a port in use, an error at the start, files that commands write, a starter that ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../support/command.ts'
import { freePort } from '../support/ports.ts'
import { createWorkshop } from '../support/workshop.ts'
import { commandFile } from '../support/command-file.ts'

/** An entry that exports its application, and one that listens. */
const factory = `import framework from 'framework'
export default function build() {
  const app = framework()
  app.get('/', async () => 'found')
  return app
}
`
const listening = `${factory}await build().listen({ port: Number(process.env.PORT), host: process.env.HOST })\n`

const env = { HOST: '127.0.0.1', PORT: '0' }

test('a port in use: the message says how to take another one, and the application starts when the port is free', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const text of [factory, listening]) {
    shop.writeApp(text)
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const dev = shop.open(['dev', 'app.js', '--port', String(port)], { env })
    await dev.until(
      new RegExp(
        `framework port ${port} of 127\\.0\\.0\\.1 is in use\\. \`--port ${port + 1}\` sets PORT for the application\\. Starts when the port is free\n`,
      ),
    )
    assert.doesNotMatch(dev.output, /EADDRINUSE|ended/)
    other.close()
    await dev.until(new RegExp(`serves at http://127\\.0\\.0\\.1:${port}\n`))
    // An entry that listens itself may report it as well.
    assert.doesNotMatch(dev.output, /Listening at/)
    dev.signal('SIGTERM')
    assert.equal(await dev.ended(), 0)
  }
})

test('an application that listens at a port of its own says that --port has no effect', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const [own, requested] = [await freePort(), await freePort()]
  const at = (port: string): string =>
    `${factory}await build().listen({ port: ${port}, host: '127.0.0.1' })\n`
  // It may listen at another one, too.
  shop.writeApp(at(String(own)) + at('Number(process.env.PORT)').slice(factory.length))
  const dev = shop.open(['dev', 'app.js', '--port', String(requested)], { env })
  await dev.until(new RegExp(`serves at http://127\\.0\\.0\\.1:${own}\n`))
  await sleep(1_200)
  assert.doesNotMatch(dev.output, /does not read/)
  shop.writeApp(at(String(own)))
  await dev.until(
    new RegExp(
      `serves at http://127\\.0\\.0\\.1:${own}\nframework listens at port ${own}, and not at ${requested}: \`--port\` sets PORT, which the application does not read\\. Let it listen at \`Number\\(process\\.env\\.PORT\\)\`\n`,
    ),
  )
})

test('an application that uses its own port twice is not started again and again', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(listening + listening.slice(factory.length))
  const dev = shop.open(['dev', 'app.js', '--port', String(await freePort())], { env })
  await dev.until(/framework ended: it listens at port \d+ twice; waiting for a change\n/)
  shop.writeApp(listening)
  await dev.until(/framework app\.js: built in .*\nframework serves at/)
})

test('an error at the start is shown with its place, without the frames of the framework', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const failing = (text: string): string =>
    text.replace(
      "app.get('/'",
      `app.addHook('onReady', async function connect() {
    throw new Error('no database', { cause: new TypeError('no address') })
  })
  app.get('/'`,
    )
  shop.writeApp(failing(factory))
  const dev = shop.open(['dev', 'app.js'], { env })
  const shown =
    /app\.js:5:11\n[^]*> 5 \| {5}throw new Error\('no database', [^\n]*\n {4}\| {11}\^\n[^]*Error: no database\n([^]*)framework ended \(exit code 1\); waiting for a change/
  const [, stack = ''] = await dev.until(shown)
  assert.match(
    stack,
    /^ {4}at \S*connect \(.*app\.js:5:11\)\n {4}… \d+ more of Node and the framework/,
  )
  assert.match(stack, /\[cause\]: TypeError: no address/)
  assert.doesNotMatch(stack, /node:internal|runtime[/\\]|package[/\\]/)
  // Nothing runs now, so a failed build leaves nothing running.
  shop.writeApp(factory.replace("'/',", "'/', { schema: { querystring: { $ref: 'nowhere#' } } },"))
  await dev.until(/framework app\.js: not built; waiting for a change\n/)
  shop.writeApp(failing(listening))
  await dev.until(shown)
  // A module that cannot be loaded has no frame of its own: Node says where it is.
  shop.writeApp("import './nowhere.js'\n" + listening)
  shop.write('nowhere.js', 'export const found = 1\nconst found\n')
  await dev.until(/nowhere\.js:2[^]*SyntaxError/)
})

test('an import of a file that TypeScript would write: the message names the next step', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(
    `import { greeting } from './words.js'\n${factory}`,
  )
  shop.write('words.ts', "export const greeting = 'Hello'\n")
  const dev = shop.open(['dev', 'app.js'], { env })
  await dev.until(/app\.js imports words\.js, but only words\.ts exists[^]*Install tsx/)
})

test('files that commands write among the sources restart nothing until they are edited', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(factory)
  const dev = shop.open(['dev', 'app.js'], { env })
  await dev.until(/serves at/)
  for (const one of [
    ['openapi', '--out', 'api.json'],
    ['deploy', 'app.js', '--target', 'node', '--out', 'shipped'],
    ['deploy', 'app.js', '--target', 'node', '--out', 'shipped'],
    ['build', 'app.js', '--out', 'built'],
  ]) {
    shop.succeed(...one)
  }
  assert.ok(shop.list('.').includes('shipped/package.json'))
  shop.write('note.js', '')
  const [, changed] = await dev.until(/framework (\S+): built in/)
  assert.equal(changed, 'note.js')
  shop.edit('api.json', '"openapi"', ' "openapi"')
  const [, edited] = await dev.until(/framework (\S+): built in/)
  assert.equal(edited, 'api.json')
})

for (const [args, ready] of [
  [['dev', 'app.js'], /serves at (http:\S+)/],
  [['build', 'app.js', '--watch'], /built in/],
] as const) {
  test(`\`${args.join(' ')}\` ends with the package manager that has started it`, async (t) => {
    const shop = createWorkshop(t, 'cli/empty').writeApp(factory)
    const starter = `const { pid } = require('node:child_process').spawn(process.execPath, ${JSON.stringify([commandFile, ...args])}, { stdio: 'inherit' })
  console.log('pid', pid)`
    const npm = startProgram(t, {
      folder: shop.folder,
      args: ['-e', starter],
      env: { ...env, npm_config_user_agent: 'npm/11' },
    })
    const [, pid] = await npm.until(/pid (\d+)/)
    const isThere = (signal: NodeJS.Signals | 0): boolean => {
      try {
        return process.kill(Number(pid), signal)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
        throw error
      }
    }
    t.after(() => isThere('SIGKILL'))
    const [, url] = await npm.until(ready)
    npm.signal('SIGKILL')
    await npm.until(/the process that started this command has ended, so it ends as well/)
    while (isThere(0)) await sleep(20)
    if (url !== undefined) await assert.rejects(fetch(url))
  })
}
