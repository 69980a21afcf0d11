/** npm accepts the package in place of Fastify 5: for a plugin with a peer, by overrides, and where code generation is refused. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startRegistry } from '../recipes/registry.ts'
import { startShell } from '../recipes/shell.ts'
import { temporaryFolder } from '../support/folders.ts'
import { pack } from '../support/packed.ts'

const manifest = {
  private: true,
  type: 'module',
  dependencies: {
    '@fastify/restartable': '3.0.2',
    fastify: 'npm:@framework/fastify@5.12.8',
    // Its peer is `fastify ^5.5.0`.
    'fastify-type-provider-zod': '7.0.0',
    framework: '0.1.0',
    zod: '4.1.12',
  },
  devDependencies: { '@framework/compiler': '0.1.0' },
  overrides: { fastify: '$fastify' },
}

const source = `import { restartable } from '@fastify/restartable'
import fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'

const create = async (factory, options) => {
  const app = factory(options)
  app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
  const querystring = z.object({ page: z.coerce.number() })
  app.get('/', { schema: { querystring } }, async ({ query }) => query)
  return app
}
for (const app of [await create(fastify, {}), await restartable(create)]) {
  const answers = await Promise.all(['2', 'two'].map((page) => app.inject('/?page=' + page)))
  console.log(app.version, ...answers.map(({ statusCode }) => statusCode), answers[0].body)
  await app.close()
}
`

test('npm installs it for packages that need Fastify 5', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  writeFileSync(join(folder, 'app.js'), source)
  const shell = startShell(folder, {
    PATH: process.env['PATH'] as string,
    HOME: folder,
    npm_config_registry: await startRegistry(t, pack(t)),
  })
  t.after(() => shell.end())
  for (const command of ['npm install --no-audit --no-fund', 'npx framework build app.js']) {
    const { status, output } = await shell.run(command)
    assert.equal(status, 0, output)
  }
  const { output } = await shell.run('npm ls --all --parseable --long fastify')
  assert.match(output, /^\S*\/node_modules\/fastify:fastify@npm:@framework\/fastify@5\.12\.8$/)
  const flags = '--disallow-code-generation-from-strings --import ./.framework/register.js'
  const ran = await shell.run(`node ${flags} app.js`)
  assert.equal(ran.output, Array(2).fill('5.12.8 200 400 {"page":2}').join('\n'))
})
