import { declaredRoutes } from '../../compiler/5-artifact/coverage.ts'
import { hooksOf } from '../../compiler/5-artifact/read/hooks.ts'
import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import { isOutcome, loadManifest } from './manifest.ts'
import type { Outcome } from '../output.ts'
import { readingOptions } from './compiler-options.ts'

const options = {
  filter: {
    type: 'string',
    short: 'f',
    value: 'text',
    summary: 'list the routes that have these words in their method, URL, context, parts or place',
  },
  with: {
    type: 'string',
    value: 'what',
    choices: ['hooks'],
    summary: 'show the hooks that run for each route instead of its parts: hooks',
  },
  wide: {
    type: 'boolean',
    short: 'w',
    summary: 'print lines as long as they are, on a terminal too',
  },
  ...readingOptions,
} as const

export const routes: Command = defineCommand({
  name: 'routes',
  summary: 'list the routes of an application',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [entry], output }: Call<typeof options>): Promise<Outcome> {
  const loaded = await loadManifest(values, entry, output)
  if (isOutcome(loaded)) return loaded
  const { hooksText, routesText, slashText } = await import('../text/routes.ts')
  const { paint, columns } = output
  const { manifest } = loaded
  const words = (values.filter ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const all = declaredRoutes(manifest.routes)
  const showsHooks = values.with === 'hooks'
  const found = all.filter((route) => {
    const { method, url, constraints = {}, context, parts, at } = route
    const members = [constraints, parts].flatMap((one) => Object.entries(one).flat())
    const hooks = showsHooks ? hooksText(manifest, route) : ''
    const text = [method, url, context, ...members, at, hooks].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const listed = found.map((route) => {
    const { method, url, context, at, constraints, parts } = route
    const hooks = showsHooks && { hooks: hooksOf(manifest, route) }
    return { method, url, context, at, ...(constraints && { constraints }), parts, ...hooks }
  })
  return {
    ok: true,
    result: { routes: listed },
    answer: routesText(
      found,
      paint,
      values.wide ? undefined : columns,
      showsHooks ? (route) => hooksText(manifest, route) : undefined,
    ),
    ...(columns !== undefined && { report: slashText(found) }),
    ...(found.length === 0 && { problems: `None of ${all.length} routes match.` }),
  }
}
