import type { RawRequest } from '../model.ts'

/** The largest integer that V8 keeps unboxed everywhere; the count starts again at 0 after it. */
const largest = 0x7f_ff_ff_ff

/**
 * Makes the function that gives each request its id: what the request says in `header`, or else the id that
 * `own` makes, by default `req-1`, `req-2` and so on in base 36.
 */
export function createRequestIdGenerator(
  header: string | false,
  own?: (raw: RawRequest) => string,
): (raw: RawRequest) => string {
  let count = 0
  const generate =
    own ||
    ((): string => {
      count = (count + 1) & largest
      return `req-${count.toString(36)}`
    })
  if (!header) return generate
  return (raw) => (raw.headers[header] as string | undefined) || generate(raw)
}
