/** Builds the applications of the issues ahead of time. Those with the same options of compilers share an artifact. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../compiler/build.ts'
import { issues, issuesFile, type PublicIssue } from './issue.ts'

/** Inside the checkout, where `framework` resolves. */
const root = fileURLToPath(new URL(`../../public-issues-${process.pid}`, import.meta.url))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

/** Returns the artifact's file for each issue. */
export async function buildAll(): Promise<string[]> {
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
  const { diagnostics } = await build({ entry, out, cache: false })
  assert.deepEqual(
    diagnostics.filter(({ isWarning }) => isWarning !== true),
    [],
  )
  return join(out, 'index.mjs')
}
