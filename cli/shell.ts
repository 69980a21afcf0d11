/** An argument as a shell reads it: nothing in it means anything to the shell. */
export function quoted(argument: string): string {
  if (/^[\w./-]+$/.test(argument)) return argument
  return process.platform === 'win32'
    ? JSON.stringify(argument)
    : `'${argument.replaceAll("'", String.raw`'\''`)}'`
}
