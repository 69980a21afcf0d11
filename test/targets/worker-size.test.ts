/** The code of a Worker with one validated route: what it may weigh, and what it has no use for. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundleWorker } from '../support/bundle-worker.ts'
import { createWorkshop } from '../support/workshop.ts'

const route = `app.post(
    '/users',
    {
      schema: {
        body: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
        response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } },
      },
    },
    async (request) => ({ hello: request.body.name }),
  )`

const shop = createWorkshop({ after }, 'cli/empty', {
  'app.js': `import framework from 'framework/5'
export default function shop(options) {
  const app = framework(options)
  ${route}
  return app
}
`,
  'plugin.js': `import framework from 'framework/5'
export default function shop(options) {
  const app = framework({ ...options, ajv: { plugins: [(ajv) => ajv.addKeyword({ keyword: 'isEven', validate: (_, value) => value % 2 === 0 })] } })
  ${route}
  return app
}
`,
})

const worker = (artifact: string, app: string): string => `import { toFetch } from 'framework/fetch'
import artifact from './${artifact}/worker.mjs'
import shop from './${app}'
export default { fetch: toFetch(shop({ aot: { artifact } })) }
`

function bundled(artifact: string, app: string): Promise<string> {
  return bundleWorker(worker(artifact, app), { folder: shop.folder, minify: true })
}

/** Texts of code that this application doesn't need: a format, files of artifacts, Node's internals, and the checks of functions of the application. */
const absent = ['urn:uuid', 'O_NONBLOCK', 'strictContentLength', 'It does not end']

function check(code: string, most: number, mostCompressed: number): void {
  const sizes = [Buffer.byteLength(code), gzipSync(code, { level: 9 }).length] as const
  assert.ok(sizes[0] < most && sizes[1] < mostCompressed, `${sizes.join(' bytes, compressed ')}`)
  assert.deepEqual(
    absent.filter((text) => code.includes(text)),
    [],
  )
}

test('a deployment has the code that it needs', () => {
  shop.succeed('deploy', 'app.js', '--target', 'workerd', '--out', 'out')
  check(shop.read(join('out', 'index.js')), 214_000, 77_000)
})

test('a Worker of a bundler has the code that it needs', async () => {
  shop.succeed('build', 'app.js', '--out', '.framework')
  check(await bundled('.framework', 'app.js'), 210_000, 77_500)
})

test('a Worker whose artifact checks functions of the application has the code for that', async () => {
  shop.succeed('build', 'plugin.js', '--out', 'checked')
  assert.ok((await bundled('checked', 'plugin.js')).includes('It does not end'))
})
