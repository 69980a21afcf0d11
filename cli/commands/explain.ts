import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import { docsOf, sectionOf } from '../code-link.ts'
import { isOutcome, loadManifest } from './manifest.ts'
import type { Outcome } from '../output.ts'
import { readingOptions } from './compiler-options.ts'

const options = {
  code: { type: 'boolean', short: 'c', summary: 'print the code of its functions, too' },
  ...readingOptions,
} as const

export const explain: Command = defineCommand({
  name: 'explain',
  summary: 'say all that is known of a route, or explain an error code',
  takes: [
    {
      name: 'METHOD',
      isOptional: true,
      // An error code could be a method, too.
      pattern: /^(?!AOT_|FST_)[\w!#$%&'+.^`|~-]+$/,
      summary: 'the method, such as GET; all of them if it is left out',
    },
    {
      name: 'URL',
      summary: 'a declared URL, the path of a request, or an error code',
    },
    entryArgument,
  ],
  options,
  run,
})

async function run(call: Call<typeof options>): Promise<Outcome> {
  const { values, args, output } = call
  const [givenMethod, url = '', entry] = args
  const section = /^[A-Z_]+$/.test(url) ? sectionOf(url) : undefined
  if (section !== undefined)
    return { ok: true, result: { code: url, docs: docsOf(url), text: section }, answer: section }
  const method = givenMethod?.toUpperCase()
  const loaded = await loadManifest(values, entry, output)
  if (isOutcome(loaded)) return loaded
  const [{ findRoutes }, { explain: explainRoute }, text] = await Promise.all([
    import('../inspect/find.ts'),
    import('../inspect/explain.ts'),
    import('../text/explain.ts'),
  ])
  const { manifest, read } = loaded
  const found = findRoutes(manifest, method, url)
  if (found.routes === undefined) {
    const { near } = found
    const suggestion = near.length === 0 ? '' : ` Did you mean ${inWords(near)}?`
    const requested = method === undefined ? url : `${method} ${url}`
    const isComplete = manifest.contexts.every(({ plugins = [] }) => plugins.length === 0)
    const which = isComplete ? 'all' : 'all but those that packages declare'
    const problems = `No route answers ${requested}.${suggestion} \`framework routes\` lists ${which}.`
    return { ok: false, result: { routes: [], near }, problems }
  }
  const routes = found.routes.map((route) => explainRoute(manifest, route))
  const code = values.code ? await codeOfAll() : {}
  return {
    ok: true,
    result: { routes, ...(values.code && { code }) },
    answer: text.explanationText(routes, code, output.paint),
  }

  async function codeOfAll(): Promise<Record<string, string>> {
    const { codeOf } = await import('../inspect/code.ts')
    const digests = routes.flatMap(({ parts }) => parts.map((part) => part.function?.digest))
    const all: Record<string, string> = {}
    for (const digest of new Set(digests)) {
      const one = digest === undefined ? undefined : await codeOf(digest, read)
      if (digest !== undefined && one !== undefined) all[digest] = one
    }
    return all
  }
}

/** `a, b or c` */
function inWords(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')
}
