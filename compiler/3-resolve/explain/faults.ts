import type { Binding, Diagnostic, Report } from '../../model/index.ts'

/** Something that is wrong at one place. */
export interface Fault {
  /** Equal for what is told once. */
  readonly key: string
  /** Where only the running application knows what is missing: the rest can be built without it. */
  readonly open?: Diagnostic
  /** @param sites the parts of routes that it breaks */
  describe(sites: readonly Binding[]): Diagnostic
}

/** Gathers what is wrong, so that each fault is told once and with all that it breaks. */
export class Faults {
  readonly #found = new Map<string, { readonly fault: Fault; readonly sites: Binding[] }>()

  add(fault: Fault, site: Binding): void {
    const known = this.#found.get(fault.key)
    if (known === undefined) this.#found.set(fault.key, { fault, sites: [site] })
    else known.sites.push(site)
  }

  report(report: Report): void {
    for (const { fault, sites } of this.#found.values()) report(fault.describe(sites))
  }
}
