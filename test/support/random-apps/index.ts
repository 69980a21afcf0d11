/** Generates random applications: TypeScript files that declare contexts, routes and schemas in many styles. */
import fc from 'fast-check'
import { Scope } from './scope.ts'
import { statements } from './statements.ts'
import { Tape } from './tape.ts'
import { Writer, type Frame } from './writer.ts'

export interface RandomApplication {
  readonly files: Readonly<Record<string, string>>
  /** The kind of export of `app.ts`. */
  readonly kind: 'factory' | 'instance'
}

/** Shrinks towards applications with fewer statements. */
export const application: fc.Arbitrary<RandomApplication> = fc
  .array(fc.nat(0xffff), { size: 'max', maxLength: 500 })
  .map((numbers) => write(new Tape(numbers)))

function write(tape: Tape): RandomApplication {
  const w = new Writer(tape)
  const file = w.file('app.ts')
  file.import("import framework from 'framework'")
  const isModule = tape.chance(4)
  w.startsAtTopLevel = isModule
  w.usesTypebox = tape.chance(1)
  const isAsync = isModule || tape.chance(10)
  const frame: Frame = {
    file,
    app: 'app',
    scope: new Scope(''),
    depth: 0,
    isAsync,
    given: [],
    conditions: [],
    id: undefined,
    outer: undefined,
    isConditional: false,
    decorators: [],
    pending: [],
  }
  const options = [
    ...(tape.chance(2) ? [`exposeHeadRoutes: ${tape.pick(['false', 'true'])}`] : []),
    ...(tape.chance(1) ? ['ignoreTrailingSlash: true'] : []),
    ...(tape.chance(1) ? ['ignoreDuplicateSlashes: true'] : []),
    ...(tape.chance(1) ? ['caseSensitive: false'] : []),
    ...(tape.chance(1) ? ['jsonShorthand: true'] : []),
    ...(tape.chance(1) ? ['ajv: { customOptions: { removeAdditional: false } }'] : []),
  ]
  const body = statements(w, frame, 12)
  const create = `const app: any = framework(${options.length === 0 ? '' : `{ ${options.join(', ')} }`})`
  const text = isModule
    ? [create, ...body, 'export { app }']
    : [
        `export default ${isAsync ? 'async ' : ''}function createApp() {`,
        create,
        ...body,
        'return app',
        '}',
      ]
  file.declare(text.join('\n'))
  return {
    files: Object.fromEntries(w.files.map((one) => [one.path, one.text()])),
    kind: isModule ? 'instance' : 'factory',
  }
}
