/** What a snapshot holds of Node's network: node:net is loaded, and has taken its options. */

const options =
  /--(?:no-)?(?:enable-)?network-family-autoselection(?:-attempt-timeout(?:[= ]\S+)?)?/g

let taken = ''

/** Loads it, and keeps what V8 makes of the expression for addresses of IPv6: it is so large that this takes two ms of a start. */
export function loadNetwork(): void {
  process.getBuiltinModule('node:net').isIPv6('127.0.0.1')
  taken = current()
}

/** Whether this process was given the options that were taken. Loaded is loaded: the bundle would need another process. */
export function hasSameNetwork(): boolean {
  return current() === taken
}

function current(): string {
  const given = [process.env['NODE_OPTIONS'], ...process.execArgv].join(' ')
  return given.match(options)?.join(' ') ?? ''
}
