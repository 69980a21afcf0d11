/** The parts of an application that its exchanges reach: a comparison says nothing about the others. */
import type { Manifest } from '../../compiler/index.ts'
import type { Exchange, Outcome, Transcript } from './transcript.ts'

/** One line per route without an accepted request, and per part of a route that was never refused. */
export function unreached(
  { routes }: Manifest,
  exchanges: readonly Exchange[],
  { outcomes }: Transcript,
): string[] {
  return routes
    .filter((route) => route.method !== 'HEAD')
    .flatMap(({ method, url, validators }) => {
      const title = `${method} ${samplePath(url)}: `
      const answers = exchanges.flatMap((exchange, index) =>
        exchange.title.startsWith(title) ? [answerOf(outcomes[index])] : [],
      )
      const refused = Object.keys(validators).filter(
        (part) => !answers.some((answer) => isRefusal(answer, part)),
      )
      return [
        ...(answers.some(({ status }) => status < 300) ? [] : [`${title}never accepted`]),
        ...refused.map((part) => `${title}${part} never refused`),
      ]
    })
}

/** `/loans/:id(^\d+$)/*` as samples write it: `/loans/{id}/{*}`. */
function samplePath(url: string): string {
  return url.replace(/:(\w+)(\([^)]*\))?/g, '{$1}').replace(/\*$/, '{*}')
}

function answerOf(outcome: Outcome | undefined): { status: number; body: string } {
  const answer = outcome?.answer
  return answer !== undefined && 'status' in answer ? answer : { status: 0, body: '' }
}

/**
 * However an application words its errors, the part is named: `body/lines must be array`. On Fastify 5, the router refuses parameters that
 * are too long.
 */
function isRefusal({ status, body }: { status: number; body: string }, part: string): boolean {
  if (status === 414) return part === 'params'
  return (status === 400 || status === 422) && body.toLowerCase().includes(part)
}
