/** Applications that tsx runs, with the packages as they are published: tsx also transforms modules that are JavaScript already. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPackedFolder, pack } from '../support/packed.ts'

const tarballs = pack({ after })

const address = '{"street":"Ring 1","city":"Wien","country":"at"}'
/** Output of fixtures/testing/tsx/main.ts: a valid request, an invalid one, and whether `errorCodes` is the same object. */
const expected = `200 {"from":${address},"to":${address}}
400 body/to/street must NOT have fewer than 1 characters
true
`

for (const type of ['module', 'commonjs']) {
  for (const preload of ['framework/development', './.framework/register.js']) {
    test(`tsx --import ${preload}, type ${type}`, (t) => {
      const app = createPackedFolder(t, tarballs, ['tsx'])
      app.copy('testing/tsx')
      app.write('package.json', JSON.stringify({ private: true, type }))
      if (preload.startsWith('.')) assert.equal(app.framework('build', 'main.ts').status, 0)
      const commands = [
        [`${app.installed('tsx')}/dist/cli.mjs`, '--import', preload, 'main.ts'],
        ['--import', 'tsx', '--import', preload, 'main.ts'],
      ]
      for (const command of commands) {
        const { stdout, stderr } = app.node(command)
        assert.equal(stdout, expected, stderr)
      }
    })
  }
}

test('with tsx, require returns the function', (t) => {
  const app = createPackedFolder(t, tarballs, ['tsx'])
  app.write('package.json', JSON.stringify({ private: true }))
  app.write(
    'main.cts',
    `const framework = require('framework')
console.log(typeof framework, framework === framework.default, typeof require('framework/plugin'))
`,
  )
  const { stdout, stderr } = app.node(['--import', 'tsx', 'main.cts'])
  assert.equal(stdout, 'function true function\n', stderr)
})
