/** Names of the hooks that routes can have, in the order in which they run. The last three run only if something goes wrong, at any time. */
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
