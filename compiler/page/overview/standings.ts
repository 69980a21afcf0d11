/** How a part of a route became known, in words. */
export const standings: Readonly<Record<string, string>> = {
  literal: 'read from the source',
  sliced: 'computed by the build',
  traced: 'taken from the booted application',
  own: 'left to a compiler of the application',
  dynamic: 'known only to the running application',
}
