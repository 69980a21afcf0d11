/** Requests as bytes: spellings of paths, hosts, methods, framings and bodies that servers read differently. */

export interface Scenario {
  /** The group, to which differences refer. */
  readonly kind: string
  readonly bytes: string
}

const paths: readonly string[] = [
  '/',
  '/ok',
  '/ok/',
  '/OK',
  '//ok',
  '/ok//',
  '/ok?',
  '/ok??a',
  '/ok?a=1&a=2&b',
  '/ok?a=%zz',
  '/ok?a=%26&b=%c3%a4+c',
  '/ok?next=//x/admin/secret',
  '/ok?next=http://x/admin/secret',
  '/zzz?next=//x/raw/evil',
  '/ok;a=b',
  '/ok;/admin/secret',
  '/%6fk',
  '/%6Fk?x',
  '/ok%',
  '/ok%zz',
  '/ok%00',
  '/ok%2f',
  '/ok%3f/admin/secret',
  '/ok%23x',
  '/admin',
  '/admin/',
  '/admin/secret',
  '/admin/secret/',
  '/admin//secret',
  '//admin/secret',
  '///admin/secret',
  '/%61dmin/secret',
  '/admin%2fsecret',
  '/admin/%73ecret',
  '/Admin/secret',
  '/admin/x/y?z=/raw/a',
  '/public/raw/x',
  '/public/raw/x/y',
  '/public//raw/x',
  '/raw/x',
  '/raw/x%20y',
  '/raw/%e4',
  '/raw/%C3%A4',
  '/raw/x+y',
  "/raw/a'b!(c)*d~e$f",
  '/raw/x@y:z',
  '/raw/',
  '/raw//x',
  '/names/ada-lovelace',
  '/names/a-b-c',
  '/names/a%2db',
  '/number/12',
  '/number/12a',
  '/number/%31',
  '/versioned',
  '/nowhere',
  '/nowhere/a/b',
]

/** Paths that `URL` changes or cuts. */
const changed: readonly string[] = [
  '/public/%2e',
  '/public/../admin/secret',
  '/public/./raw/x',
  '/public/..',
  '/public/%2e%2e/admin/secret',
  '/public/.%2e/raw/x',
  '/admin/../ok',
  '/admin/..;/ok',
  '/..//ok',
]
const backslashes: readonly string[] = ['/\\admin/secret', '/admin\\secret', '/raw/a\\b']
const fragments: readonly string[] = ['/ok#/admin/secret', '/raw/x#y?z']
const escaped: readonly string[] = [
  '/raw/"x"',
  '/raw/<x>',
  '/raw/{x}',
  '/raw/a|b',
  '/raw/a^b',
  '/raw/`',
]
const foreign: readonly string[] = ['/raw/\xe4', '/raw/\xc3\xa4', '/ok?\xc3\xa4=1']
const impossible: readonly string[] = [
  '/a\tb',
  '/a b',
  '/a\x01',
  '/a\x7f',
  'ok',
  '?a',
  '#a',
  '@x/ok',
  ':80/ok',
  '\\ok',
  '',
]

const absolute: readonly string[] = [
  'http://a.test/ok',
  'http://evil.test/admin/secret',
  'http://evil.test/ok?a=1',
  'http://u:p@evil.test/ok',
  'http://evil.test:8080//ok',
  'http://evil.test/raw/x?y=//z/admin/secret',
]
const absoluteWithoutPath: readonly string[] = [
  'http://evil.test',
  'http://evil.test?a=/admin/secret',
]
const absoluteOdd: readonly string[] = [
  'https://evil.test/ok',
  'HTTP://evil.test/ok',
  'ftp://evil.test/ok',
  'http://evil.test:99999/ok',
  'http:///ok',
  'http:/ok',
]

const hosts: readonly string[] = [
  'a.test',
  'admin.test',
  'ADMIN.test',
  'a.test:80',
  'a.test:8080',
  '[::1]',
  '127.0.0.1',
]
const oddHosts: readonly string[] = [
  'a b',
  'a,b',
  'a:b:c',
  '[',
  'a.test.',
  '%61.test',
  'a_b',
  'a|b',
  'a:99999',
  'a"b',
]
const impossibleHosts: readonly string[] = [
  'a/b',
  'x/raw/evil?',
  'x/admin/secret#',
  '/admin/secret?',
  'a?b',
  'a#b',
  'a\\b',
  'u@a.test',
  'x\\@y/raw/evil?',
]

const get = (target: string, host = 'a.test', more = ''): string =>
  request('GET', target, `Host: ${host}\r\n${more}`)

function request(method: string, target: string, head: string, body = '', version = '1.1'): string {
  return `${method} ${target} HTTP/${version}\r\n${head}Connection: close\r\n\r\n${body}`
}

const length = (body: string): string => `Content-Length: ${body.length}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`

const bodies: Readonly<Record<string, string>> = {
  object: '{"a":1}',
  list: '[1,"\xc3\xa4"]',
  text: '"x"',
  empty: '',
  broken: '{"a":',
  poisoned: '{"__proto__":{"a":1}}',
  nested: '{"a":{"constructor":{"prototype":1}}}',
  mark: '\xef\xbb\xbf{"a":1}',
  bytes: '\xff\xfe\x00',
  long: `"${'x'.repeat(400)}"`,
  limit: `"${'x'.repeat(298)}"`,
}

const types: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/jsonx',
  'text/plain',
  'text/x-own',
  'application/x-bytes',
  'application/x-stream',
  'x/y',
  '',
]

const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const oddMethods = ['PROPFIND', 'LINK', 'FOO', 'get', 'G\tET', '']

const withHost = 'Host: a.test\r\n'
const json = `${withHost}Content-Type: application/json\r\n`
const heads: Readonly<Record<string, readonly string[]>> = {
  authorized: ['let me in', 'let me in ', 'Let me in', 'let me in, let me in'].flatMap((value) =>
    ['/admin/secret', '/admin/x', '/%61dmin/secret', '//admin/secret'].map((path) =>
      get(path, 'a.test', `Authorization: ${value}\r\n`),
    ),
  ),
  versions: ['1.2.0', '1.x', '2.0.0', '*', ''].map((version) =>
    get('/versioned', 'a.test', `Accept-Version: ${version}\r\n`),
  ),
  forwarded: [
    'X-Forwarded-Host: evil',
    'X-Forwarded-Proto: https',
    'X-Forwarded-For: 1.2.3.4',
    'Forwarded: host=evil',
    'X-Original-URL: /admin/secret',
    'X-Rewrite-URL: /admin/secret',
    'X-HTTP-Method-Override: DELETE',
  ].map((line) => get('/ok', 'a.test', `${line}\r\n`)),
  'malformed head': [
    ...[
      'No colon',
      ': no name',
      'Na me: x',
      'Name : x',
      ' Folded: x',
      'Name: a\x00b',
      'N\xe4me: x',
      'Name\t: x',
      'Content-Length: x',
      'Content-Length: -1',
      'Content-Length: 1, 1',
      'Content-Length: +1',
      'Content-Length: 0x1',
    ].map((line) => get('/ok', 'a.test', `${line}\r\n`)),
    'GET /ok\r\n\r\n',
    'GET /ok HTTP/3.0\r\nHost: a.test\r\nConnection: close\r\n\r\n',
    'GET /ok HTTP/1.1 x\r\nHost: a.test\r\nConnection: close\r\n\r\n',
    'GET /ok HTTPS/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n',
    'nonsense\r\n\r\n',
  ],
  'ambiguous length': [
    request('POST', '/ok', `${json}${chunked}${length('{"a":1}')}`, `${chunk('{"a":1}')}0\r\n\r\n`),
    request('POST', '/ok', `${json}Content-Length: 7\r\nContent-Length: 8\r\n`, '{"a":1}'),
    request('POST', '/ok', `${json}Transfer-Encoding: identity\r\n`, '{"a":1}'),
    request('POST', '/ok', `${json}Transfer-Encoding: chunked, identity\r\n`, '{"a":1}'),
    request('POST', '/ok', `${json}Transfer-Encoding: xchunked\r\n`, '{"a":1}'),
    request(
      'POST',
      '/ok',
      `${json}Transfer-Encoding : chunked\r\n`,
      `${chunk('{"a":1}')}0\r\n\r\n`,
    ),
    request('POST', '/ok', `${json}${chunked}`, 'zz\r\n{"a":1}\r\n0\r\n\r\n'),
    request('POST', '/ok', `${json}${chunked}`, '-7\r\n{"a":1}\r\n0\r\n\r\n'),
    request('POST', '/ok', `${json}${chunked}`, '7\r\n{"a":1}x\r\n0\r\n\r\n'),
  ],
  'odd chunks': [
    request('POST', '/ok', `${json}${chunked}`, '7;a=b\r\n{"a":1}\r\n0\r\n\r\n'),
    request('POST', '/ok', `${json}${chunked}`, '0007\r\n{"a":1}\r\n0\r\n\r\n'),
    request('POST', '/ok', `${json}${chunked}`, `${chunk('{"a":1}')}0\r\nA: b\r\n\r\n`),
    request('POST', '/ok', `${json}Transfer-Encoding: Chunked\r\n`, `${chunk('{"a":1}')}0\r\n\r\n`),
    request('POST', '/ok', `${json}Content-Length: 007\r\n`, '{"a":1}'),
  ],
  'several hosts': [
    get('/ok', 'a.test', 'Host: b.test\r\n'),
    get('/ok', 'admin.test', 'Host: a.test\r\n'),
    get('/ok', 'a.test', 'host: x/raw/evil?\r\n'),
  ],
  'no host': [
    request('GET', '/ok', ''),
    request('GET', '/admin/secret', ''),
    ...['/ok', '/public/raw/x', '/zzz?next=//x/raw/evil', '//admin/secret', '/admin/secret'].map(
      (path) => request('GET', path, '', '', '1.0'),
    ),
    request('GET', '/ok', 'Host:\r\n'),
  ],
  asterisk: [request('OPTIONS', '*', withHost), request('GET', '*', withHost)],
  connect: [request('CONNECT', 'a.test:443', withHost), request('CONNECT', '/ok', withHost)],
  'length of GET': ['GET', 'HEAD', 'DELETE'].map((method) =>
    request(method, '/ok', `${json}${length('{"a":1}')}`, '{"a":1}'),
  ),
}

const of = (kind: string, all: readonly string[]): Scenario[] =>
  all.map((bytes) => ({ kind, bytes }))

export const scenarios: readonly Scenario[] = [
  ...of(
    'path',
    paths.flatMap((path) => hosts.map((host) => get(path, host))),
  ),
  ...of(
    'path',
    paths.map((path) => request('GET', path, withHost, '', '1.0')),
  ),
  ...of(
    'method',
    methods.flatMap((method) => paths.map((path) => request(method, path, withHost))),
  ),
  ...of(
    'other method',
    oddMethods.map((method) => request(method, '/ok', withHost)),
  ),
  ...of(
    'dots',
    changed.map((path) => get(path)),
  ),
  ...of(
    'backslash',
    backslashes.map((path) => get(path)),
  ),
  ...of(
    'fragment',
    fragments.map((path) => get(path)),
  ),
  ...of(
    'escaped',
    escaped.map((path) => get(path)),
  ),
  ...of(
    'not ASCII',
    foreign.map((path) => get(path)),
  ),
  ...of(
    'impossible target',
    impossible.map((path) => get(path)),
  ),
  ...of(
    'absolute',
    absolute.map((url) => get(url)),
  ),
  ...of(
    'absolute without path',
    absoluteWithoutPath.map((url) => get(url)),
  ),
  ...of(
    'odd absolute',
    absoluteOdd.map((url) => get(url)),
  ),
  ...of(
    'odd host',
    oddHosts.map((host) => get('/ok', host)),
  ),
  ...of(
    'impossible host',
    impossibleHosts.flatMap((host) =>
      ['/ok', '/public/raw/x', '/nowhere'].map((path) => get(path, host)),
    ),
  ),
  ...Object.entries(bodies).flatMap(([name, body]) =>
    types.flatMap((type) =>
      ['/ok', '/public/x'].flatMap((path) => {
        const head = type === '' ? withHost : `${withHost}Content-Type: ${type}\r\n`
        return of(`body ${name}`, [
          request('POST', path, head + length(body), body),
          request('POST', path, head + chunked, `${body === '' ? '' : chunk(body)}0\r\n\r\n`),
        ])
      }),
    ),
  ),
  ...Object.entries(heads).flatMap(([kind, all]) => of(kind, all)),
]
