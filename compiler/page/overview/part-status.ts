/** Describes how the build came to know a part's schema. */
export const partStatus: Readonly<Record<string, string>> = {
  literal: 'compiled as written',
  sliced: 'computed by the build',
  traced: 'taken from the booted application',
  own: 'left to your own compiler',
  dynamic: 'known only to the running application',
}
