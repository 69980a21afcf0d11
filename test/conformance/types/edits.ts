/** Known failures of the type tests of Fastify 5, and changes to test files that wouldn't compile here. */

/** A change of a test file that would not compile. Lines stay where they are. */
export interface Edit {
  readonly file: string
  readonly from: RegExp
  readonly to: string
  readonly reason: string
}

const SHARED = 'The types are shared with `framework`, and Fastify 4.21 accepts it.'
const FIND_MY_WAY = "It is a type of find-my-way, which isn't a dependency."

/** Accepts the code after a directive. */
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

/** Lines of test files that fail, by the reason and the file. */
export const failing: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'It names the `FastifyError` of a later release of @fastify/error.': {
    hooks: [115, 217, 423, 464, 512],
    route: [126],
  },
  'Fastify 4.21 has this type.': {
    instance: [32, 41, 244, 250, 253, 329],
    request: [80, 87, 99, 100],
  },
  [FIND_MY_WAY]: { instance: [332] },
  [SHARED]: {
    instance: [469, 512, 555],
    register: [80, 82, 134, 137, 212, 216],
    reply: [35, 44],
    'type-provider': [1043, 1044],
  },
  '`onCreate` gets an Ajv of the application, whose type no package gives.': { fastify: [273] },
  'A logger given as `logger` has the type of all loggers, as in Fastify 4.21.': {
    logger: [92, 93, 98, 99],
  },
  'The error has another text.': {
    reply: [213],
    'type-provider': [657, 690, 874, 887, 915, 1107],
  },
  '`send` may be called without a payload, as in Fastify 4.21.': {
    instance: [91, 96],
    reply: [137, 138],
    'type-provider': [482, 483, 484, 715, 716, 718],
  },
  "The type of `config` isn't inferred from its values.": { route: [74] },
  'Methods have the type of Fastify 4.21, which knows them all.': {
    route: [442, 454, 466, 601, 610],
  },
  '`findRoute` may return `null`.': { route: [571, 580] },
}
