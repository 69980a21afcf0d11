import type { Binding, Diagnostic, OnDiagnostic } from '../../model/index.ts'

/** A problem of a schema, which may break several parts of routes. */
export interface Fault {
  /** Faults with the same key are reported once. */
  readonly key: string
  /** Set if only the running application knows what is missing: everything else can be built without it. */
  readonly dynamic?: Diagnostic
  /** @param sites the parts of routes that break */
  describe(sites: readonly Binding[]): Diagnostic
}

/** Collects faults, so that each is reported once, with everything that it breaks. */
export class Faults {
  readonly #found = new Map<string, { readonly fault: Fault; readonly sites: Binding[] }>()

  add(fault: Fault, site: Binding): void {
    const reported = this.#found.get(fault.key)
    if (reported === undefined) this.#found.set(fault.key, { fault, sites: [site] })
    else reported.sites.push(site)
  }

  report(report: OnDiagnostic): void {
    for (const { fault, sites } of this.#found.values()) report(fault.describe(sites))
  }
}
