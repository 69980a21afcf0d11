/** Checks an application by rules that are made of the hooks that it has on the real Fastify. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestHooks } from '../../compiler/model/request-hooks.ts'
import type { Finding } from '../../cli/rules/index.ts'
import { runCommand } from './command-runs.ts'
import { boot, type BootedHooks } from './scan-oracle.ts'
import type { Printed } from './workshop.ts'

interface Route {
  readonly method: string
  readonly url: string
  hooks(
    kind: string,
  ): readonly Readonly<Record<'name' | 'function' | 'decorator' | 'package', string>>[]
  hasHook(kind: string, name: string): boolean
}

/**
 * Asserts that what rules see of hooks is what runs: all hooks of each route in their order, and which routes lack each of them.
 *
 * @param env of the real application
 * @returns the number of hooks that run
 */
export async function assertRulesSeeHooks(
  folder: string,
  entry: string,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const booted = await boot(join(folder, entry), { env })
  assert.ok('hooks' in booted, JSON.stringify(booted))
  const real = byRoute(booted.hooks)
  const names = [...new Set([...real.values()].flat(2))].filter((one) => !one.endsWith(' '))
  const text = [
    `const real = new Map(${JSON.stringify([...real])})`,
    `const kinds = ${JSON.stringify(requestHooks)}`,
    `const all = ${allHooks.toString()}`,
    `const has = ${hasByName.toString()}`,
    `const rules = { 'all hooks': (route) => all(real, kinds, route) }`,
    `for (const name of ${JSON.stringify(names)}) rules[name] = (route) => has(name, route)`,
    `export default { rules }`,
  ]
  writeFileSync(join(folder, 'framework.rules.mjs'), text.join('\n'))
  const { stdout, stderr } = runCommand(folder, ['check', entry, '--rules', '--json'])
  assert.notEqual(stdout, '', stderr)
  const { result, diagnostics } = JSON.parse(stdout) as Printed<{ rules: { broken: Finding[] } }>
  assert.ok(result.rules, JSON.stringify(diagnostics))
  const { broken } = result.rules
  assert.deepEqual(
    broken.filter(({ rule }) => rule === 'all hooks').map(({ message }) => message),
    [],
  )
  for (const name of names) {
    const lacking = broken.filter(({ rule }) => rule === name).map(({ route = '' }) => route)
    for (const route of lacking)
      assert.ok(
        real.get(route)?.some((one) => !one.includes(name)),
        `${route} has ${name}`,
      )
  }
  return [...real.values()].flat(2).length
}

/** Routes that share a URL, such as both variants of `/` under a prefix, are alternatives. */
function byRoute(hooks: readonly BootedHooks[]): Map<string, (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>()
  for (const { title, names } of hooks) {
    const [methods = '', url] = title.split(' ')
    for (const method of methods.split(',')) {
      const route = `${method} ${url}`
      found.set(route, [...(found.get(route) ?? []), names])
    }
  }
  return found
}

function allHooks(
  real: ReadonlyMap<string, readonly (readonly string[])[]>,
  kinds: readonly string[],
  route: Route,
): true | string {
  const seen = kinds.flatMap((kind) => route.hooks(kind).map(({ name }) => `${kind} ${name}`))
  // Fastify 5 gives both variants of `/` under a prefix the URL of the prefix.
  const [exact, shorter] = [route.url, route.url.replace(/\/$/, '')].map((url) =>
    real.get(`${route.method} ${url}`),
  )
  const expected = (exact ?? shorter ?? []).map((one) => one.join(', '))
  return (
    expected.includes(seen.join(', ')) || `${seen.join(', ')} instead of ${expected.join(' | ')}`
  )
}

function hasByName(text: string, route: Route): boolean {
  const [kind = '', name] = text.split(' ')
  return route
    .hooks(kind)
    .some(
      (one) =>
        one.name === name &&
        [one.function, one.decorator, one.package].some(
          (label) => label && route.hasHook(kind, label),
        ),
    )
}
