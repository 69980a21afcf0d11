/**
 * The only scenarios that platforms answer otherwise than Node: where a platform reads the bytes before the application sees them. An
 * entry that no longer differs fails the test.
 */

/** Matches an answer, or is the request that Node answers in the same way. */
export type Instead = 'refused' | RegExp | ((bytes: string) => string)

export interface Allowed {
  readonly reason: string
  readonly kinds: readonly string[]
  /** By default both. */
  readonly line?: 'framework' | 'framework/5'
  /** One of these is what happens. */
  readonly instead: readonly Instead[]
}

const withTarget =
  (change: (target: string) => string) =>
  (bytes: string): string =>
    bytes.replace(/^(\S+) (.*) HTTP\//, (_, method, target) => `${method} ${change(target)} HTTP/`)

/** Without fragment, dots and backslashes, and with escapes. */
const asUrl = withTarget((target) => {
  const { pathname, search } = new URL(`http://host${Buffer.from(target, 'latin1')}`)
  return pathname + search
})

const withHost = (bytes: string): string => bytes.replace('\r\n', '\r\nHost: localhost\r\n')

const ofAbsoluteUrl: Allowed = {
  reason: 'Of an absolute URL, the path is left, or the server refuses the URL.',
  kinds: ['odd absolute'],
  instead: ['refused', withTarget((url) => url.replace(/^\w+:\/\/[^/]*/, ''))],
}

const everywhere: readonly Allowed[] = [
  {
    reason: 'A server joins host and path to one URL, so a host with a delimiter is refused.',
    kinds: ['impossible host', 'several hosts'],
    instead: ['refused'],
  },
  {
    reason: 'A URL of a Request has no fragment.',
    kinds: ['fragment'],
    instead: [asUrl],
  },
  {
    reason: 'The servers take UTF-8 in a path, which Node refuses.',
    kinds: ['not ASCII'],
    instead: [asUrl],
  },
  {
    reason: 'The servers refuse HTTP/0.9, which Fastify 5 takes.',
    kinds: ['malformed head'],
    line: 'framework/5',
    instead: ['refused'],
  },
]

export const allowed: Readonly<Record<'bun' | 'deno' | 'workerd', readonly Allowed[]>> = {
  bun: [
    ...everywhere,
    ofAbsoluteUrl,
    {
      reason: 'Bun normalizes the path as `URL` does, before the application and its hooks see it.',
      kinds: ['dots', 'backslash', 'impossible target'],
      instead: [asUrl],
    },
    { reason: 'Bun refuses targets that are no path.', kinds: ['asterisk'], instead: ['refused'] },
    {
      reason: 'Node closes the connection. Here the application finds no route for the method.',
      kinds: ['connect'],
      instead: [/^200 .*"route":"nowhere","trail":\["root","preHandler"\],"method":"CONNECT"/],
    },
  ],
  deno: [
    ...everywhere,
    {
      reason: "Deno's `http:///ok` is the path `/http:///ok`.",
      kinds: ['odd absolute'],
      instead: [withTarget((url) => `/${url}`)],
    },
    {
      reason: 'Deno takes requests without a host, and gives them its own.',
      kinds: ['no host'],
      instead: [withHost],
    },
    {
      reason: 'Deno puts a slash before the asterisk of OPTIONS, and refuses it for other methods.',
      kinds: ['asterisk'],
      instead: ['refused', withTarget((target) => `/${target}`)],
    },
    {
      reason: 'Node closes the connection. Here the application finds no route for the method.',
      kinds: ['connect'],
      instead: [/^200 .*"route":"nowhere","trail":\["root","preHandler"\],"method":"CONNECT"/],
    },
  ],
  workerd: [
    ...everywhere,
    ofAbsoluteUrl,
    {
      reason: 'workerd refuses methods that it does not know, and characters that belong escaped.',
      kinds: ['other method', 'escaped'],
      instead: ['refused'],
    },
    {
      reason: 'workerd takes a target without a slash for the host of a proxy request.',
      kinds: ['impossible target'],
      instead: [withTarget(() => '/')],
    },
    {
      reason: 'workerd prefers chunks to a length. Node refuses both at once.',
      kinds: ['ambiguous length'],
      instead: [(bytes) => bytes.replace(/Content-Length: \d+\r\n/, '')],
    },
    {
      reason: 'workerd refuses requests without a host, of HTTP/1.0 too.',
      kinds: ['no host'],
      instead: ['refused'],
    },
  ],
}
