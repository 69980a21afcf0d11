/** An entry provides its application in many ways, as an ES module, in CommonJS and in TypeScript: each deployment answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deploy } from '../../compiler/deploy/index.ts'
import type { Target } from '../../compiler/deploy/targets/index.ts'
import { toEvent } from '../support/lambda/gateway.ts'
import { runsAll } from '../support/runs.ts'
import { startFolder, withServer } from '../support/start-server.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const declaring = "app.get('/levels', async () => 'served')"
const instance = `const app = framework()\n${declaring}\n`
const factory = `{ const app = framework(); ${declaring}; return app }`
const plugin = `async function plugin(app) { ${declaring} }`
const constructor = `class Server { constructor() { this.app = framework(); this.app.get('/levels', async () => 'served') } }`

const esm: Readonly<Record<string, string>> = {
  instance: `${instance}export default app`,
  'named instance': `${instance}export { app as server }`,
  'member of the default export': `${instance}export default { app }`,
  factory: `export default function build() ${factory}`,
  'named factory': `export async function build() ${factory.replace('return app', 'return { app }')}`,
  'factory in an object': `function build() ${factory}\nexport default { build }`,
  class: `export default ${constructor}`,
  plugin: `export default ${plugin}`,
}

const commonJs: Readonly<Record<string, string>> = {
  instance: `${instance}module.exports = app`,
  'named instance': `${instance}exports.server = app`,
  'compiled default export': `Object.defineProperty(exports, '__esModule', { value: true })\n${instance}exports.default = app`,
  'its own default': `${instance}module.exports = app\nmodule.exports.default = app\nmodule.exports.app = app`,
  'a default among others': `${instance}module.exports = { default: app, app }`,
  'member of a member': `${instance}module.exports = { servers: { app } }`,
  factory: `module.exports = () => ${factory}`,
  'compiled factory': `${constructor}\nexports.default = function build() ${factory}`,
  class: `exports.default = ${constructor}`,
  plugin: `module.exports = ${plugin}`,
}

const kinds = {
  'entry.mjs': [esm, "import framework from 'framework/5'\n"],
  'entry.cjs': [commonJs, "const framework = require('framework/5')\n"],
  // TypeScript compiles them to CommonJS.
  'entry.ts': [esm, "// @ts-nocheck\nimport framework from 'framework/5'\n"],
  'entry.mts': [esm, "// @ts-nocheck\nimport framework from 'framework/5'\n"],
} as const

const request = toEvent('url', { method: 'GET', target: '/levels', headers: [], body: undefined })
const calls: Readonly<Partial<Record<Target, string>>> = {
  lambda: `const { body, isBase64Encoded } = await deployed.handler(${JSON.stringify(request)}, {})
console.log(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body)`,
  web: `console.log(await (await deployed.default.fetch(new Request('http://localhost/levels'))).text())`,
}

async function deployTo(target: Target, shop: Workshop, entry: string): Promise<void> {
  const { deployment, diagnostics } = await deploy({
    entry: `${shop.folder}/${entry}`,
    target,
    out: `${shop.folder}/${target}`,
  })
  assert.ok(deployment, JSON.stringify(diagnostics))
}

for (const [entry, [forms, head]] of Object.entries(kinds))
  test(`deployments of ${entry} answer`, async (t) => {
    for (const [form, source] of Object.entries(forms)) {
      const isCommon = /^instance|^compiled/.test(form)
      if (!runsAll && !isCommon) continue
      const shop = createWorkshop(t, 'cli/empty', { 'package.json': {}, [entry]: head + source })
      for (const [target, call] of Object.entries(calls) as [Target, string][]) {
        // Other platforms find the application by the same code.
        if (target === 'web' && !(runsAll && isCommon)) continue
        await deployTo(target, shop, entry)
        shop.write('call.mjs', `import * as deployed from './${target}/index.js'\n${call}`)
        const { stdout, stderr } = shop.node('call.mjs')
        assert.equal(stdout, 'served\n', `${form}, ${target}: ${stderr}`)
      }
      if (form !== 'instance') continue
      await deployTo('node', shop, entry)
      await withServer(startFolder(`${shop.folder}/node`, shop.folder), async (url) => {
        assert.equal(await (await fetch(`${url}/levels`)).text(), 'served', form)
      })
    }
  })

test('an entry that waits for the address of a server that it has kept answers', async (t) => {
  const keeps = `const { server } = app
const before = server.address()
await new Promise((done) => app.listen({ port: 0 }, () => { if (before === null && server.address()) done() }))`
  // The scan doesn't know the schema: the boot waits as well.
  const unknown = `app.get('/page', { schema: { querystring: { type: 'object', properties: { page: { const: await Promise.any([1]) } } } } }, async () => 'page')`
  const source = `import framework from 'framework/5'\n${instance}${unknown}\n${keeps}\n`
  const shop = createWorkshop(t, 'cli/empty', { 'package.json': {}, 'entry.mjs': source })
  await deployTo('lambda', shop, 'entry.mjs')
  shop.write('call.mjs', `import * as deployed from './lambda/index.js'\n${calls.lambda}`)
  const { stdout, stderr } = shop.node('call.mjs')
  assert.equal(stdout, 'served\n', stderr)
})
