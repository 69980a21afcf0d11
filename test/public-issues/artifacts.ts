/** Builds the applications of the issues ahead of time. Those with the same options of compilers share an artifact. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../compiler/build.ts'
import { issuesFile, type PublicIssue } from './issue.ts'

/** Inside the checkout, where `framework` resolves. */
const root = fileURLToPath(new URL(`../../public-issues-${process.pid}`, import.meta.url))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

/** The file of an artifact, or the problems of the build as an observation. */
export type Built = string | readonly string[]

/** The artifact of each issue. */
export async function buildAll(issues: readonly PublicIssue[]): Promise<Built[]> {
  const groups = new Map<string, Promise<Built>>()
  for (const issue of issues) {
    const key = groupOf(issue)
    const members = issues.filter((other) => groupOf(other) === key)
    if (!groups.has(key))
      groups.set(
        key,
        buildGroup(
          members.map((one) => issues.indexOf(one)),
          groups.size,
        ),
      )
  }
  return Promise.all(issues.map((issue) => groups.get(groupOf(issue)) as Promise<Built>))
}

/** The options that change what is compiled. What a build refuses is alone. */
function groupOf({ issue, options, isRefused }: PublicIssue): string {
  if (isRefused) return issue
  return options !== undefined && 'ajv' in options() ? String(options) : ''
}

async function buildGroup(members: readonly number[], count: number): Promise<Built> {
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
  const problems = diagnostics.filter(({ isWarning }) => isWarning !== true)
  if (problems.length === 0) return join(out, 'index.mjs')
  return problems.map(({ code, message }) => `the build refuses: ${code} ${message}`)
}
