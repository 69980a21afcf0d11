/** Which environment variables are named for what a package makes of several. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanPackage } from '../../support/scan-package.ts'

/** Reads the variables that it is asked for; `all` reads whatever there is; `given` looks at none. */
const tool = (): string => `
  export const read = (names) => {
    const values = names.map((name) => [name, Number(process.env[name] ?? 1)])
    return { nested: Object.fromEntries(values), ...Object.fromEntries(values), sum: 1 }
  }
  export const all = () => ({ ...process.env, LIMIT: 1 })
  export const given = ({ data }) => ({ ...data })
`

async function reasons(expressions: readonly string[]): Promise<string[]> {
  const routes = expressions.map(
    (maximum, index) =>
      `app.get('/${index}', { schema: { querystring: { limit: { type: 'integer', maximum: ${maximum} } } } }, () => 1)`,
  )
  const app = `import { all, given, read } from 'tool'\n${routes.join('\n')}`
  const { diagnostics } = await scanPackage({ tool, app })
  return diagnostics.map((message) => / application: (.*?)\. Move/.exec(message)?.[1] ?? message)
}

const many = "['A', 'B', 'C', 'D', 'E', 'LIMIT']"

test('a value made of several variables depends on the one that it is named for', async () => {
  const found = await reasons([
    "read(['HOST', 'LIMIT']).LIMIT",
    "read(['HOST', 'LIMIT']).nested.LIMIT",
    "read(['HOST', 'LIMIT']).sum",
    `read(${many}).LIMIT`,
    `read(${many}).sum`,
    "read(['HOST']).LIMIT",
    'all().LIMIT',
    'given({ data: { HOST: process.env.HOST, LIMIT: process.env.LIMIT } }).LIMIT',
    'given({ data: process.env }).LIMIT',
    'given({ data: [process.env.HOST, process.env.LIMIT] })[1]',
  ])
  const of = (name: string): string =>
    `it is \`${name}\` of a value that depends on the environment`
  assert.deepEqual(found, [
    'it depends on the environment variable `LIMIT`',
    'it depends on the environment variable `LIMIT`',
    `${of('sum')} variables \`HOST\`, \`LIMIT\``,
    'it depends on the environment variable `LIMIT`',
    `${of('sum')} variables \`A\`, \`B\`, \`C\` and 3 more`,
    `${of('LIMIT')} variable \`HOST\``,
    of('LIMIT'),
    'it depends on the environment variable `LIMIT`',
    of('LIMIT'),
    `${of('1')} variables \`HOST\`, \`LIMIT\``,
  ])
})
