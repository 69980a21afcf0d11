/** With `framework/development`, errors about schemas say what a build reports: the place, suggestions, and the next step. So does an entry that nothing starts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const body = (schema: string): string =>
  `app.post('/', { schema: { body: ${schema} } }, async () => '')`
const author = "{ $id: 'author', type: 'object' }"

/** Source between the creation of the application and its start; Fastify's message, and what is added to it: the place, words, the underlined text. */
const mistakes = [
  {
    title: 'a reference to nothing',
    text: `app.addSchema(${author})\n${body("{ $ref: 'autor#' }")}`,
    message: `Failed building the validation schema for POST: /, due to error can't resolve reference autor# from id #`,
    place: 'app.js:5:41  AOT_REF_UNRESOLVED',
    says: 'Did you mean "author"?',
    underlined: "'autor#'",
  },
  {
    title: 'a misspelt keyword',
    text: body("{ type: 'object', propertys: {} }"),
    message:
      'Failed building the validation schema for POST: /, due to error strict mode: unknown keyword: "propertys"',
    place: 'app.js:4:51  AOT_SCHEMA_INVALID',
    says: 'Did you mean "properties"? If not, allow the keyword with the option',
    underlined: 'propertys',
  },
  {
    title: 'an id that is taken',
    text: `app.addSchema(${author})\napp.addSchema(${author})`,
    message: "Schema with id 'author' already declared!",
    place: 'app.js:5:1  AOT_SCHEMA_DUPLICATE_ID',
    says: 'already added in the context "root", at app.js:4',
    underlined: `app.addSchema(${author})`,
  },
  {
    title: 'a type that does not exist',
    text: body("{ type: 'objekt' }"),
    message: 'Failed building the validation schema for POST: /, due to error schema is invalid',
    place: 'app.js:4:41  AOT_SCHEMA_INVALID',
    says: 'Did you mean "object"?',
    underlined: "'objekt'",
  },
  {
    title: "a schema of a sibling's",
    text: `app.register(async function authors(app) {
  app.addSchema(${author})
})
app.register(async function books(app) {
  ${body("{ $ref: 'author#' }")}
})`,
    message: `Failed building the validation schema for POST: /, due to error can't resolve reference author# from id #`,
    place: 'app.js:8:43  AOT_REF_OUT_OF_SCOPE',
    says: 'its schema is added in "root > authors" (app.js:5)',
    underlined: "'author#'",
  },
]

for (const { title, text, message, place, says, underlined } of mistakes) {
  test(title, (t) => {
    const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework()

${text}
try {
  await app.ready()
} catch (error) {
  console.error(error.message + '\\n---')
  throw error
}
`)
    const { status, stderr } = shop.develop('app.js')
    assert.equal(status, 1)
    const [own = '', whole = stderr] = stderr.split('\n---')
    if (whole !== stderr) assert.ok(own.startsWith(message) && !own.includes('\n'), own)
    assert.ok(whole.includes(message), whole)
    for (const part of [place, says, `${'^'.repeat(underlined.length)}\n`])
      assert.ok(whole.includes(part), `${part}\n${whole}`)
    // The application's part of the stack follows.
    assert.match(whole, /\n {4}… \d+ more of Node and the framework\n/)
    assert.doesNotMatch(whole, /runtime[/\\]dist/)
  })
}

test('applications and plugins without names are served where built-in objects are frozen', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
import plugin from 'framework/plugin'
Object.freeze(Error)
const app = framework()
app.register(plugin(async (app) => { app.get('/', async () => 'hello') }))
console.log((await app.inject('/')).body)
`)
  const { stdout, stderr } = shop.develop('app.js')
  assert.equal(stdout, 'hello\n', stderr)
})

test('the route is shown where another program runs the application, such as a test runner', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
export function build(mistake) {
  const app = framework()
  app.register(async (books) => {
    if (mistake === 'type') books.post('/', { schema: { body: { type: 'objekt' } } }, async () => '')
    else books.get('/', { schema: { query: {}, querystring: {} } }, async () => '')
  })
  return app
}
`)
  const outputFor = (mistake: string): string => {
    const testFile = `import { test } from 'node:test'
import { build } from './app.js'
test('answers', () => build('${mistake}').inject('/'))
`
    shop.write('app.test.js', testFile)
    const reporter = '--test-reporter=spec'
    return shop.develop(reporter, '--test', 'app.test.js').stdout
  }

  const type = outputFor('type')
  assert.match(type, /Failed building the validation schema for POST: \//)
  assert.match(type, /\n +app\.js:5:(?:35|71)\b/)
  assert.match(type, /> 5 \| .*\.post\(/)

  const twice = outputFor('twice')
  assert.match(twice, /Schema with 'querystring' already present!/)
  assert.match(twice, /\n +app\.js:6:(?:16|44)\b/)
  assert.match(twice, /> 6 \| .*\.get\(/)
})

test("an application in a package isn't checked: only its route is shown", (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'node_modules/runner.js': `import framework from 'framework'
const app = framework()
app.get('/', { schema: { querystring: { type: 'objekt' } } }, async () => '')
await app.ready()
`,
  })
  const { stderr } = shop.develop('node_modules/runner.js')
  assert.match(stderr, /Failed building the validation schema[^]*\nnode_modules\/runner\.js:3:5\n/)
  assert.doesNotMatch(stderr, /AOT_SCHEMA/)
})

test('development compiles in process, and is refused in production', (t) => {
  const served = { statusCode: 201, body: '{"id":1,"name":"5"}' }
  const shop = createWorkshop(t, 'cli/shop')
  shop.write('options.js', "globalThis.shopOptions = { aot: { mode: 'development' } }\n")
  assert.deepEqual(JSON.parse(shop.node('--import', './options.js', 'main.js').stdout), served)
  assert.deepEqual(JSON.parse(shop.develop('main.js').stdout), served)
  shop.write('options.js', "process.env.NODE_ENV = 'production'\n")
  const preloads = ['./options.js', 'framework/development'].flatMap((one) => ['--import', one])
  const { stdout } = shop.node(...preloads, 'main.js')
  const { code } = JSON.parse(stdout) as { code: string }
  assert.equal(code, 'FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION')
})

const factory = `import framework from 'framework'
export function build() { return framework() }
`

const silent: Readonly<Record<string, string>> = {
  'one that is made and testFile': `${factory}console.log((await build().inject('/')).statusCode)\n`,
  'a script that makes it': "import { build } from './app.js'\nawait build().ready()\n",
  'a script that needs none':
    "import { build } from './app.js'\nexport const kind = typeof build\n",
  'a test':
    "import { test } from 'node:test'\nimport { build } from './app.js'\ntest('it', () => build().inject('/'))\n",
  'one that fails': `${factory}process.exitCode = 3\n`,
  'one that is ended': `${factory}process.exit()\n`,
}

test('an entry that only exports its application ends with a warning', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const run = (file: string): string => shop.develop(file).stderr
  const plugin = 'module.exports = async function (fastify, options) {}\n'
  for (const [file, text] of [
    ['app.js', factory],
    ['plugin.cjs', plugin],
  ] as const) {
    shop.write(file, text)
    assert.match(
      run(file),
      new RegExp(
        `\\[FST_AOT_NOT_STARTED\\] FastifyWarning: ${file.replace('.', '\\.')} has ended without an application: it exports one, and nothing has started it\\. Run \`framework dev ${file.replace('.', '\\.')}\`, or a file that lets it listen\\.`,
      ),
    )
  }
  shop.write('tool.cjs', "require('node:child_process').fork('app.js')\n")
  assert.equal(run('tool.cjs'), '')
  for (const [title, text] of Object.entries(silent)) {
    shop.write('other.js', text)
    assert.equal(run('other.js'), '', title)
  }
})
