/** Requests to bookshop, by their titles, that more than one platform answers in another way. */

/** A header that may occur once is sent twice. */
export const sentTwice: readonly string[] = [
  'GET /visitors/one: headers.authorization twice',
  'GET /visitors/one: headers.authorization twice, once different',
  'POST /v1/notes/strict: headers.content-type twice',
  'POST /v1/notes/strict: headers.content-type twice, once different',
  'two tokens',
  'the same content type twice',
  'two content types',
]
