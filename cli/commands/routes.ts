import { declaredRoutes } from '../../compiler/5-bundle/coverage.ts'
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
  const { routesText, slashText } = await import('../text/routes.ts')
  const { paint, columns } = output
  const { manifest } = loaded
  const words = (values.filter ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const all = declaredRoutes(manifest.routes)
  const found = all.filter(({ method, url, constraints = {}, context, parts, at }) => {
    const members = [constraints, parts].flatMap((one) => Object.entries(one).flat())
    const text = [method, url, context, ...members, at].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const listed = found.map(({ method, url, context, at, constraints, parts }) => ({
    method,
    url,
    context,
    at,
    ...(constraints && { constraints }),
    parts,
  }))
  return {
    ok: true,
    result: { routes: listed },
    answer: routesText(found, paint, values.wide ? undefined : columns),
    ...(columns !== undefined && { report: slashText(found) }),
    ...(found.length === 0 && { problems: `None of ${all.length} routes match.` }),
  }
}
