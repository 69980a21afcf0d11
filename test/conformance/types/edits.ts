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
  accept('fastify', /\(\) => \{ \}/),
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
    instance: [329],
  },
  [FIND_MY_WAY]: { instance: [332] },
  [SHARED]: {
    register: [80, 82, 134, 137, 212, 216],
  },
  '`onCreate` gets an Ajv of the application, whose type no package gives.': { fastify: [273] },
  'The error has another text.': { 'type-provider': [657, 690, 874, 915, 1107] },
  '`writeEarlyHints` returns the reply.': { reply: [35] },
  '`redirect` has an overload that only `framework` can call.': { reply: [44] },
  '`findRoute` may return `null`.': { route: [571, 580] },
}
