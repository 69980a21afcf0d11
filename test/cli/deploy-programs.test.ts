/** Modules of threads and processes that code names by a path, without showing that it starts them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const packages = {
  'node_modules/helper/package.json': { name: 'helper', version: '1.0.0' },
  'node_modules/helper/index.js': `module.exports = 'a package'\n`,
  // Pools import the function that a file exports, as Piscina does.
  'node_modules/pool/package.json': { name: 'pool', version: '1.0.0' },
  'node_modules/pool/index.js': `const { Worker } = require('node:worker_threads')
exports.Pool = class {
  constructor({ filename }) {
    this.thread = new Worker(require('node:path').join(__dirname, 'thread.js'), { workerData: String(filename) })
  }
}
`,
  'node_modules/pool/thread.js': `const { parentPort, workerData } = require('node:worker_threads')
const { pathToFileURL } = require('node:url')
import(/^file:/.test(workerData) ? workerData : pathToFileURL(workerData)).then(async (module) => parentPort.postMessage((await module.default)()))
`,
  // As in tesseract.js, another module of the package names the file.
  'node_modules/reader/package.json': { name: 'reader', version: '1.0.0' },
  'node_modules/reader/index.js': `const { Worker } = require('node:worker_threads')
const { workerPath } = require('./lib/defaults')
exports.read = (options) => new Worker({ workerPath, ...options }.workerPath)
`,
  'node_modules/reader/lib/defaults.js': `const path = require('node:path')
module.exports = { workerPath: path.join(__dirname, '..', 'scripts', 'reader.js') }
`,
  'node_modules/reader/scripts/reader.js': `require('worker_threads').parentPort.postMessage(require('../lib/text'))\n`,
  'node_modules/reader/lib/text.js': `module.exports = 'a file of a package'\n`,
}

/** Expressions that start a module or read one. They have the functions `message` and `output`. */
const uses: readonly (readonly [expression: string, answer: string])[] = [
  [`message(new Worker(file))`, 'thread: a module, a package'],
  [`message(new Worker(options.file))`, 'thread: a module, a package'],
  [
    `message(new Queue('mails', join(here, 'tasks/thread.js')).thread)`,
    'thread: a module, a package',
  ],
  [
    `message(new Pool({ filename: resolve(here, 'tasks/exports.js') }).thread)`,
    'exports: a module, a package',
  ],
  [
    `message(new Pool({ filename: pathToFileURL(join(here, 'tasks/exports.js')).href }).thread)`,
    'exports: a module, a package',
  ],
  [
    `output(spawn(process.execPath, [join(here, 'tasks/process.js')]))`,
    'process: a module, a package',
  ],
  [`message(read())`, 'a file of a package'],
  [`readFileSync(join(here, 'tasks/client.js'), 'utf8')`, `import './lib.js'\n`],
  [`readFileSync(client, 'utf8')`, `import './lib.js'\n`],
  [`textOf(join(here, 'tasks/client.js'))`, `import './lib.js'\n`],
]

const application = (imports: string): string => `${imports}
const app = framework()
const file = join(here, 'tasks/thread.js')
const client = join(here, 'tasks/client.js')
const options = { file: join(here, 'tasks', 'thread.js') }
const textOf = (one) => readFileSync(one, 'utf8')
const message = async (thread) => (await once(thread, 'message'))[0]
const output = async (child) => {
  const [text] = await once(child.stdout, 'data')
  return String(text).trim()
}
class Queue {
  constructor(name, processor) {
    this.thread = new Worker(processor)
  }
}
app.get('/', async () => [${uses.map(([expression]) => `await ${expression}`).join(', ')}])
app.inject('/').then(({ body }) => {
  console.log(body)
  process.exit()
})
`

const names: Readonly<Record<string, string>> = {
  'node:child_process': '{ spawn }',
  'node:events': '{ once }',
  'node:fs': '{ readFileSync }',
  'node:path': '{ join, resolve }',
  'node:url': '{ pathToFileURL }',
  'node:worker_threads': '{ Worker }',
  framework: 'framework',
  pool: '{ Pool }',
  reader: '{ read }',
}
const asImports = Object.entries(names).map(([from, name]) => `import ${name} from '${from}'`)
const asCalls = Object.entries(names).map(([from, name]) => `const ${name} = require('${from}')`)

const requiringTasks = {
  'tasks/package.json': { type: 'commonjs' },
  'tasks/lib.js': `module.exports = 'a module, ' + require('helper')\n`,
  'tasks/thread.js': `require('node:worker_threads').parentPort.postMessage('thread: ' + require('./lib'))\n`,
  'tasks/process.js': `console.log('process: ' + require('./lib'))\n`,
  'tasks/exports.js': `const lib = require('./lib')\nmodule.exports = () => 'exports: ' + lib\n`,
}
const importingTasks = {
  'tasks/lib.js': `import helper from 'helper'\nexport default 'a module, ' + helper\n`,
  'tasks/thread.js': `import { parentPort } from 'node:worker_threads'\nimport lib from './lib.js'\nparentPort.postMessage('thread: ' + lib)\n`,
  'tasks/process.js': `import lib from './lib.js'\nconsole.log('process: ' + lib)\n`,
  'tasks/exports.js': `import lib from './lib.js'\nexport const name = 'exports: '\nexport default () => name + lib\n`,
}
const { 'tasks/exports.js': exporting, 'tasks/thread.js': thread, ...otherTasks } = importingTasks
const requiring = application([...asCalls, 'const here = __dirname'].join('\n'))
const importing = application([...asImports, 'const here = import.meta.dirname'].join('\n'))

const programs: Readonly<Record<string, Readonly<Record<string, string | object>>>> = {
  CommonJS: {
    ...requiringTasks,
    'package.json': { private: true, type: 'commonjs' },
    'app.js': requiring,
  },
  'ES modules': { ...importingTasks, 'app.js': importing },
  'an entry that waits, and CommonJS': {
    ...requiringTasks,
    'app.js': `${importing}await once(app.server, 'close')\n`,
  },
  // Paths end in `.js`, as they do after compilation, or in `.ts`.
  TypeScript: {
    ...otherTasks,
    'tasks/thread.ts': thread,
    'tasks/exports.ts': exporting.replace(`'exports: '`, `'exports: ' as string`),
    'app.js': importing.replaceAll('exports.js', 'exports.ts'),
  },
}

for (const [kind, files] of Object.entries(programs)) {
  test(`a deployment has the modules that paths name, with what they import: ${kind}`, (t) => {
    const client = { 'tasks/client.js': `import './lib.js'\n` }
    const shop = createWorkshop(t, 'cli/empty', { ...packages, ...client, ...files })
    const answers = `${JSON.stringify(uses.map(([, answer]) => answer))}\n`
    // Node 20 can't run TypeScript.
    if (kind !== 'TypeScript') {
      const { stdout, stderr } = shop.develop('app.js')
      assert.equal(stdout, answers, stderr)
    }
    shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
    const { stdout, stderr } = shop.node('out')
    assert.equal(stdout, answers, stderr)
  })
}
