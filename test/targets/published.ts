/** A published application on Fastify 5, and the requests to it. */

export type Ask = readonly [
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
]

export interface Application {
  readonly version: string
  /** The module that starts it. */
  readonly entry: string
  /** Its text, for a package that exports a start function. */
  readonly start?: string
  /** The text of another entry for a Worker, which the first request boots. */
  readonly worker?: string
  /** @param folder an empty one */
  env?(folder: string): Readonly<Record<string, string>>
  /** Packages that are installed beside it. */
  readonly more?: Readonly<Record<string, string>>
  /** The release of Node that it needs. */
  readonly node?: string
  /** Why its boot in the sandbox stops, if it does. */
  readonly bootStop?: RegExp
  /** Its packages generate code themselves. */
  readonly generatesCode?: true
  /** The message of a deployment to workerd, or of its start, if it can't run there. */
  readonly notOnWorkerd?: RegExp
  /** Requests whose answers in a Worker differ, by its platform. */
  readonly differsOnWorkerd?: RegExp
  /** Rules about its hooks are compared with those that run. */
  readonly hasRules?: true
  /** Texts of answers that differ from run to run. */
  readonly varies?: RegExp
  readonly calls: readonly Ask[]
}

export const json = { 'content-type': 'application/json' }
export const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** GET requests, by their paths. */
export function gets(paths: string): readonly Ask[] {
  return paths
    .trim()
    .split(/\s+/)
    .map((path) => ['GET', path])
}

/** POST requests with JSON. */
export function posts(path: string, ...bodies: readonly string[]): readonly Ask[] {
  return bodies.map((body) => ['POST', path, json, body])
}

/** The requests that each application gets for one of its paths. */
export function usual(path: string): readonly Ask[] {
  return [
    ['GET', path],
    ['HEAD', path],
    ['OPTIONS', path, { origin: 'http://shop.test', 'access-control-request-method': 'GET' }],
    ['DELETE', path],
    ['POST', path, json, '{'],
    ['POST', path, json, ''],
    ['POST', path, { 'content-type': 'unknown/type' }, 'x'],
    ['POST', path, { ...json, 'content-length': '9999999999999999' }],
    ['GET', `${path}/not/there?a=%zz`],
    ['GET', '/%zz'],
    ['GET', '/missing'],
  ]
}
