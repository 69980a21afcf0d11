/** A whole number above 0 of the command line. */
export function naturalOf<Name extends string>(
  given: Readonly<Record<Name, string | undefined>>,
  name: Name,
): number {
  const number = Number(given[name])
  if (!Number.isSafeInteger(number) || number < 1)
    throw new TypeError(`--${name} is a whole number`)
  return number
}
