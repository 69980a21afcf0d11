/** Links between the sections of the page. */
import type { Overview } from '../../inspect/overview.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'

export function contextId(position: number): string {
  return `c${position}`
}

export function schemaId(position: number): string {
  return `s${position}`
}

export function functionId(position: number): string {
  return `f${position}`
}

/** Links to a shared schema, naming its context if several have the same `$id`. */
export function schemaLink(position: number, { schemas }: Overview): Html | undefined {
  const found = schemas[position]
  if (found === undefined) return undefined
  const { id, context } = found
  const isOnly = schemas.every((other) => other === found || other.id !== id)
  return html`<a class="schema" href="#${schemaId(position)}">${id}</a
    >${!isOnly && html` <span class="from">of ${context}</span>`}`
}
