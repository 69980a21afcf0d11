/** Faults after which Fastify survives, and answers otherwise. The patterns are of what `judge` says. */
export const differences: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /on Fastify 500 .*"… is not a function"/,
    reason: 'Fastify trips over its own stack when an answer fails for the third time.',
  },
  {
    pattern: /: 500 \{"statusCode":500,.* on Fastify 200 \{"statusCode":200,"error":"OK"/,
    reason: 'An error whose status cannot be read is answered with 200 by Fastify.',
  },
  {
    pattern: /^preParsingStream gives.*: 400 .*neither text nor bytes.* on Fastify 400 /,
    reason: 'The message: Fastify lets the stream decode its chunks, ours takes them itself.',
  },
  {
    pattern:
      /^(parserOf\w+|preParsingStream) .*, http1: (.*) \(next: closed\), on Fastify \2 \(next: ok\)/,
    reason: 'An error of the body closes the connection, as on Fastify 5.',
  },
  {
    pattern: /^trailerValue (lines|wide), .*: 200 \{"a":1\} \(next/,
    reason:
      'A trailer that would end the process over HTTP is left out; an injected request shows it on Fastify.',
  },
  {
    pattern:
      /^trailer(Value)? .*, fetch: 200 \{"a":1\} \(next: ok\), on Fastify \d+ .*\[x-trailer: /,
    reason: 'A `Response` has no trailers.',
  },
  {
    pattern:
      / destroysThenThrows, .*, fetch: rejected \(next: ok\), on Fastify 500 |^errorHandlerOfInvalid destroysThenThrows, .*, fetch: rejected \(next: ok\), on Fastify 400 /,
    reason:
      'The promise of a destroyed answer is rejected; an injected request on Fastify gets one after all.',
  },
  {
    pattern:
      /^preParsingStream (givesTexts|ended), .*, fetch: 400 .* on Fastify 400 .*"FST_ERR_CTP_INVALID_CONTENT_LENGTH"/,
    reason: 'A `Request` does not say how long its body is; an injected request does.',
  },
  {
    pattern: /: (\d+ \{.*\}) \(next: ok\), on Fastify \1 (\(next: closed\)|cut off \(next: ok\))$/,
    reason: 'Fastify 5 cuts a connection off when something fails after a whole answer.',
  },
  {
    pattern: / goesThenFailsLater, .*, fetch: 200 \{"a":1\} \(next: ok\), on Fastify 500 /,
    reason: 'A `Response` is there as soon as its head is; an injected request waits for its end.',
  },
  {
    pattern:
      /^constraintCallback goesThen.*on Fastify 500 .*Unexpected error from async constraint/,
    reason:
      'An error of a constraint that is already known: Fastify answers with it although the handler runs.',
  },
  {
    pattern:
      /^(stream|onSendStream) gives\w+, .*: 500 .*FST_ERR_REP_INVALID_PAYLOAD_TYPE.* on Fastify 200 /,
    reason:
      'What no response takes, as the first that a stream gives, ends the answer on Fastify from Node 24 on, as it ended the process before.',
  },
  {
    pattern:
      /^(stream|onSendStream) .*, http2: 200 chunk cut off \(next: ok\), on Fastify 200 chunk \(next/,
    reason: 'Over HTTP/2 an answer that is not whole looks whole on Fastify.',
  },
]
