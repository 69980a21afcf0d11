/** How a part of a route became known, in words. */
export const standings: Readonly<Record<string, string>> = {
  literal: 'compiled as written',
  sliced: 'computed by the build',
  traced: 'taken from the booted application',
  own: 'left to your own compiler',
  dynamic: 'known only to the running application',
}
