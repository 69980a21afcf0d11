/** How the keys of a route's `Reply` generic (`200`, `'2xx'`) and the argument of `reply.code` select the payload type of `reply.send`. */

type ToNumber<Text extends string> = Text extends `${infer Value extends number}` ? Value : never
type CodeClass = 1 | 2 | 3 | 4 | 5
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** 100 to 599. */
export type HttpCodes = ToNumber<`${CodeClass}${Digit}${Digit}`>

/** Keys of a `Reply` generic by status: an exact code or a range. */
export type HttpKeys = HttpCodes | `${Digit}xx`

/** A `Reply` generic by status. */
export type StatusCodeReply = { [Key in HttpKeys]?: unknown }

/**
 * The codes that `reply.code` takes when the `Reply` generic has these keys: an exact code allows itself,
 * a range its hundred codes, and anything else every code.
 */
export type ReplyKeysToCodes<Key> = [Key] extends [never]
  ? number
  : Key extends HttpCodes
    ? Key
    : Key extends `${infer Class extends CodeClass}xx`
      ? ToNumber<`${Class}${Digit}${Digit}`>
      : number

/** The range that a code falls into: `404` gives `'4xx'`. */
export type CodeToReplyKey<Code extends number> =
  `${Code}` extends `${infer Class extends CodeClass}${number}` ? `${Class}xx` : never
