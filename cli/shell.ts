/** Quotes an argument for a shell. */
export function quoted(argument: string): string {
  if (/^[\w./-]+$/.test(argument)) return argument
  return process.platform === 'win32'
    ? JSON.stringify(argument)
    : `'${argument.replaceAll("'", String.raw`'\''`)}'`
}
