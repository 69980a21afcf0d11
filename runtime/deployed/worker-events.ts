/** Handlers of a Worker other than `fetch`. */
export const workerEvents: readonly string[] = [
  'alarm',
  'email',
  'queue',
  'scheduled',
  'tail',
  'tailStream',
  'test',
  'trace',
]
