import { incomingOf } from '../exchange.ts'
import type { RawRequest } from '../model.ts'

/** The counter restarts after this. V8 stores larger integers less efficiently. */
const MAX_COUNT = 0x7f_ff_ff_ff

/** Creates `genReqId`: it returns the value of the header `header`, or the result of `custom`, or `req-1`, `req-2`, … in base 36. */
export function createRequestIdGenerator(
  header: string | false,
  custom?: (raw: RawRequest) => string,
): (raw: RawRequest) => string {
  let count = 0
  const generate =
    custom ||
    ((): string => {
      count = (count + 1) & MAX_COUNT
      return `req-${count.toString(36)}`
    })
  if (!header) return generate
  return (raw) => incomingOf(raw).header(raw, header) || generate(raw)
}
