/** Defects from the public trackers of Fastify and its packages, tried on Fastify 4.21 and on an artifact, where code generation is refused. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Engine } from '../security/engine.ts'
import { issues, issuesFile, type PublicIssue } from './issue.ts'
import { build } from '../../compiler/build.ts'

const cases = new URL('issue.js', import.meta.url).href
/** `UPDATE=1 npm test -- public-issues` writes it. */
const list = fileURLToPath(new URL('../../../test/public-issues/README.md', import.meta.url))
/** Inside the checkout, where `framework` resolves. */
const root = fileURLToPath(new URL(`../../public-issues-${process.pid}`, import.meta.url))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const fastify = new Engine(['fastify', cases])
let framework: Engine

before(async () => {
  const files = JSON.stringify(await buildAll())
  const flags = ['--disallow-code-generation-from-strings']
  framework = new Engine(['framework', cases, files], flags)
})

after(() => {
  for (const engine of [fastify, framework]) engine.stop()
})

test('README.md lists the issues with their verdicts', () => {
  const rows = issues.map(({ issue, what, right }) => {
    const address = `https://github.com/${issue.replace('#', '/issues/')}`
    const verdict = right === undefined ? 'kept as on 4.21, by decision' : 'right'
    return `- [${issue}](${address}): ${what} (${verdict})`
  })
  const text = `# Public issues

Defects from the public trackers of Fastify and its packages. The tests in this folder try each of them with compiled schemas: it's right here,
or the same as on Fastify 4.21.0. None is open.

${rows.join('\n')}
`
  if (process.env.UPDATE) writeFileSync(list, text)
  assert.equal(readFileSync(list, 'utf8'), text)
})

for (const [index, { issue, what, right }] of issues.entries()) {
  test(`${issue}: ${what}`, async () => {
    const ours = await framework.attack(index)
    assert.deepEqual(ours, right ?? (await fastify.attack(index)))
  })
}

/** Returns the artifact's file for each issue. */
async function buildAll(): Promise<string[]> {
  const groups = new Map<string, number[]>()
  for (const [index, issue] of issues.entries()) {
    const key = groupOf(issue)
    groups.set(key, [...(groups.get(key) ?? []), index])
  }
  const built = [...groups].map(
    async ([key, members], count) => [key, await buildGroup(members, count)] as const,
  )
  const files = new Map(await Promise.all(built))
  return issues.map((issue) => files.get(groupOf(issue))!)
}

/** Returns the options that change what is compiled. */
function groupOf({ options }: PublicIssue): string {
  return options !== undefined && 'ajv' in options() ? String(options) : ''
}

async function buildGroup(members: readonly number[], count: number): Promise<string> {
  const folder = join(root, String(count))
  mkdirSync(folder, { recursive: true })
  const entry = join(folder, 'app.mjs')
  const out = join(folder, '.framework')
  const text = [
    "import framework from 'framework'",
    `import { issues } from ${JSON.stringify(issuesFile)}`,
    `const app = framework(issues[${members[0]}].options?.())`,
    ...members.map(
      (i) => `app.register(async (app) => { await issues[${i}].app?.(app) }, { prefix: '/${i}' })`,
    ),
    'await app.ready()',
  ]
  writeFileSync(entry, text.join('\n'))
  const { diagnostics } = await build({ entry, out, cache: false, boot: false })
  const problems = diagnostics.filter(({ isWarning }) => isWarning !== true)
  assert.deepEqual(problems, [])
  return join(out, 'index.mjs')
}
