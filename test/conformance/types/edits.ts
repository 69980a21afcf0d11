/** Known failures of the type tests of Fastify 5, and changes to test files that wouldn't compile here. */

/** A change of a test file that would not compile. Lines stay where they are. */
export interface Edit {
  readonly file: string
  readonly from: RegExp
  readonly to: string
  readonly reason: string
}

export interface Failing {
  readonly file: string
  readonly lines: readonly number[]
  readonly reason: string
}

const SHARED = 'The types are shared with `framework`, and Fastify 4.21 accepts it.'
const SEND = '`send` may be called without a payload, as in Fastify 4.21.'
const FIND_MY_WAY = "It is a type of find-my-way, which isn't a dependency."

/** Accepts what follows a directive. */
function accept(file: string, next: RegExp): Edit {
  const from = new RegExp(`// @ts-expect-error.*(?=\\n\\s*${next.source})`, next.flags)
  return { file, from, to: '', reason: SHARED }
}

export const edits: readonly Edit[] = [
  accept('hooks', /server\.addHook\(.*done\) \{\}/g),
  accept('reply', /\.send\(\)/g),
  accept('fastify', /fastify\(\{ trustProxy: 1/),
  accept('fastify', /\(\) => \{ \}/),
  accept('route', /method: \['GET', 'POST'\]/),
  {
    file: 'route',
    from: /'propfind'.*\n.*'report'/,
    to: "\n  'trace'",
    reason: 'Instances have methods for WebDAV after `addHttpMethod` only.',
  },
  {
    file: 'route',
    from: /import \{ FindMyWayFindResult \} from .*/,
    to: "type FindMyWayFindResult<_> = { store: unknown } & ReturnType<FastifyInstance['findRoute']>",
    reason: FIND_MY_WAY,
  },
  {
    file: 'instance',
    from: /import \{ FindMyWayVersion \} from .*/,
    to: "import { HTTPVersion } from 'find-my-way'; type FindMyWayVersion<_> = HTTPVersion.V1",
    reason: FIND_MY_WAY,
  },
]

export const failing: readonly Failing[] = [
  {
    file: 'hooks',
    lines: [115, 217, 423, 464, 512],
    reason: 'It names the `FastifyError` of a later release of @fastify/error.',
  },
  {
    file: 'instance',
    lines: [32, 41, 244, 250, 253, 329],
    reason: 'Fastify 4.21 has this type.',
  },
  { file: 'instance', lines: [332], reason: FIND_MY_WAY },
  { file: 'instance', lines: [469, 512, 555], reason: SHARED },
  {
    file: 'fastify',
    lines: [273],
    reason: '`onCreate` gets an Ajv of the application, whose type no package gives.',
  },
  {
    file: 'logger',
    lines: [92, 93, 98, 99],
    reason: 'A logger given as `logger` has the type of all loggers, as in Fastify 4.21.',
  },
  { file: 'register', lines: [80, 82, 134, 137, 212, 216], reason: SHARED },
  { file: 'reply', lines: [35, 44], reason: SHARED },
  { file: 'reply', lines: [213], reason: 'The error has another text.' },
  { file: 'request', lines: [80, 87, 99, 100], reason: 'Fastify 4.21 has this type.' },
  { file: 'instance', lines: [91, 96], reason: SEND },
  { file: 'reply', lines: [137, 138], reason: SEND },
  { file: 'route', lines: [74], reason: "The type of `config` isn't inferred from its values." },
  {
    file: 'route',
    lines: [126],
    reason: 'It names the `FastifyError` of a later release of @fastify/error.',
  },
  {
    file: 'route',
    lines: [442, 454, 466, 601, 610],
    reason: 'Methods have the type of Fastify 4.21, which knows them all.',
  },
  { file: 'route', lines: [571, 580], reason: '`findRoute` may return `null`.' },
  {
    file: 'type-provider',
    lines: [482, 483, 484, 715, 716, 718],
    reason: SEND,
  },
  { file: 'type-provider', lines: [1043, 1044], reason: SHARED },
  {
    file: 'type-provider',
    lines: [657, 690, 874, 887, 915, 1107],
    reason: 'The error has another text.',
  },
]
