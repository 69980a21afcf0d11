/** A shared schema, with everything that references may name in it. */
export interface SharedRecord {
  readonly id: string
  readonly properties: readonly string[]
  readonly definitions: readonly string[]
  readonly anchors: readonly string[]
}

/** One encapsulation context of the application that is being written. */
export class Scope {
  readonly prefix: string
  readonly parent: Scope | undefined
  /** True for `/a/`, of which `prefix` is `/a`. */
  readonly endsWithSlash: boolean
  /** Shared schemas that `onRegister` hooks add to each new context inside this one. */
  readonly addedOnRegister: SharedRecord[] = []
  readonly #children: Scope[] = []
  readonly #schemas: SharedRecord[] = []
  readonly #ids = new Set<string>()

  constructor(prefix: string, parent?: Scope, written = '') {
    this.prefix = prefix
    this.parent = parent
    this.endsWithSlash = written === '' ? (parent?.endsWithSlash ?? false) : written.endsWith('/')
    if (parent !== undefined) parent.#children.push(this)
    this.addedOnRegister.push(...(parent?.addedOnRegister ?? []))
    // The hooks skip an `$id` that is already visible.
    for (const record of this.addedOnRegister) if (this.canAdd(record.id)) this.add(record)
  }

  /** Returns true if no ancestor and no descendant has the `$id`. */
  canAdd(id: string): boolean {
    return !this.#isTakenAround(id) && this.#isFree(id)
  }

  #isTakenAround(id: string): boolean {
    return this.#ids.has(id) || (this.parent !== undefined && this.parent.#isTakenAround(id))
  }

  #isFree(id: string): boolean {
    return !this.#ids.has(id) && this.#children.every((child) => child.#isFree(id))
  }

  /** Prevents the `$id` from being used again, whether or not it's added. */
  reserve(id: string): void {
    this.#ids.add(id)
  }

  add(record: SharedRecord): void {
    this.reserve(record.id)
    this.#schemas.push(record)
  }

  /** The schemas that a route of this context may refer to. */
  visible(): SharedRecord[] {
    return [...(this.parent?.visible() ?? []), ...this.#schemas]
  }

  resolves(ref: string): boolean {
    return this.visible().some((record) => refsTo(record).includes(ref))
  }
}

/** Returns all references to the shared schema and its parts. */
export function refsTo({ id, properties, definitions, anchors }: SharedRecord): string[] {
  return [
    `${id}#`,
    ...properties.map((name) => `${id}#/properties/${name}`),
    ...definitions.map((name) => `${id}#/definitions/${name}`),
    ...anchors.map((name) => `${id}${name}`),
  ]
}
