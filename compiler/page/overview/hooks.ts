import type { ManifestHook } from '../../5-bundle/manifest.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'

/** @param hook includes the context that adds it, if it is inherited */
export function hookText({
  hook,
  name,
  plugin,
  at,
  from,
  isConditional,
}: ManifestHook & { readonly from?: string }): Html {
  return html`<b>${hook}</b>
    ${name}${plugin !== undefined && html` <span class="from">of plugin ${plugin}</span>`}${isConditional && ', under a condition'}${from !== undefined && html` <span class="from">of ${from}</span>`}
    <code class="place">${at}</code>`
}
