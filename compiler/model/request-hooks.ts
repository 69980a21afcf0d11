/** Hooks of requests, in the order in which they run; a route may bring its own. The last three run only where something goes wrong. */
export const requestHooks: readonly string[] = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'onRequestAbort',
]
