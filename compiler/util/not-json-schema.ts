/**
 * Says why an object or a function isn't JSON Schema. Types of Zod, Valibot, ArkType and other libraries are recognised by Standard Schema.
 * Returns `undefined` for other plain objects.
 *
 * @see https://standardschema.dev
 */
export function whyNotJsonSchema(value: object): string | undefined {
  if (isLibraryType(value)) return `it is a schema of "${value['~standard'].vendor}"`
  if (typeof value === 'function') return 'it is a function'
  if (isPlain(value)) return undefined
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } }
  const { name = '' } = prototype.constructor ?? {}
  return name === '' ? 'it is an object of a class' : `it is an object of the class \`${name}\``
}

/** Returns whether an object or a function is a type of a library that implements Standard Schema. */
export function isLibraryType(
  value: object,
): value is { readonly '~standard': { readonly vendor: string } } {
  // Zod adds the member to the JSON Schema that it converts to, but hides it.
  const isShown = !isPlain(value) || Object.keys(value).includes('~standard')
  const { '~standard': standard } = value as { '~standard'?: { readonly vendor?: unknown } }
  return isShown && typeof standard?.vendor === 'string'
}

/** Objects of another realm are plain as well: their prototype's prototype is null. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
