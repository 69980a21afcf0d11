/**
 * Says why an object or a function isn't JSON Schema. Types of Zod, Valibot, ArkType and other libraries are recognised by Standard Schema.
 * Returns `undefined` for other plain objects.
 *
 * @see https://standardschema.dev
 */
export function whyNotJsonSchema(value: object): string | undefined {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null
  // Objects of another realm are plain as well: their prototype's prototype is null.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  // Zod adds the member to the JSON Schema that it converts to, but hides it.
  const isShown = !isPlain || Object.keys(value).includes('~standard')
  const { '~standard': standard } = value as { '~standard'?: { readonly vendor?: unknown } }
  if (isShown && typeof standard?.vendor === 'string')
    return `it is a schema of "${standard.vendor}"`
  if (typeof value === 'function') return 'it is a function'
  if (isPlain) return undefined
  const { name = '' } = prototype.constructor ?? {}
  return name === '' ? 'it is an object of a class' : `it is an object of the class \`${name}\``
}
