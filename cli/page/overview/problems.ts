/** The sections about dynamic parts and warnings, each only if it has something to show. */
import type { ManifestProblem } from '../../../compiler/5-artifact/manifest.ts'
import type { Overview } from '../../inspect/overview.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'

export function dynamicSection(overview: Overview): Html | undefined {
  const parts = overview.contexts.flatMap(({ routes }) =>
    routes.flatMap(({ method, url, parts }) =>
      parts.flatMap(({ part, problem }) =>
        problem === undefined ? [] : [{ problem, of: `${method} ${url} ${part}` }],
      ),
    ),
  )
  const others = overview.dynamic.map((problem) => ({ problem, of: undefined }))
  const about = `What only the running application knows is not in the artifact. ${consequences[overview.line]}`
  return section(about, [...parts, ...others])
}

const consequences: Readonly<Record<Overview['line'], string>> = {
  framework: 'With a route that needs it, the application does not start.',
  'fastify@4': 'Fastify compiles it.',
  'fastify@5':
    'Fastify 5 compiles it; on framework/5, an application with a route that needs it does not start.',
}

export function warningsSection({ warnings }: Overview): Html | undefined {
  return section(
    'What the build noticed, and built all the same.',
    warnings.map((problem) => ({ problem, of: undefined })),
  )
}

interface Row {
  readonly problem: ManifestProblem
  /** The part of a route that it concerns. */
  readonly of: string | undefined
}

function section(about: string, rows: readonly Row[]): Html | undefined {
  if (rows.length === 0) return undefined
  return html`<p class="about">${about}</p>
    <ul class="problems">
      ${rows.map(rowOf)}
    </ul>`
}

function rowOf({ problem: { code, message, at }, of }: Row): Html {
  return html`<li data-search>
    ${of !== undefined && html`<code class="url">${of}</code> `}
    <p>${message}</p>
    <p class="about"><code>${code}</code> <code class="place">${at}</code></p>
  </li>`
}
