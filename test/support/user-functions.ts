/** Functions and formats that an application's own module may export for `ajv.customOptions`. */
import { _, type Ajv, type CodeOptions, type KeywordCxt, type SchemaObjCxt } from 'ajv'

export const formats: Readonly<Record<string, unknown>> = {
  even: (text: string): boolean => text.length % 2 === 0,
  'odd "number"': { type: 'number', validate: (value: number): boolean => value % 2 === 1 },
  ordered: {
    validate: /^[a-z]$/,
    compare: (a: string, b: string): number => (a < b ? -1 : Number(a > b)),
  },
  email: (text: string): boolean => text === 'me',
}

interface Errors {
  errors?: unknown[]
}

function divisible(by: number, data: number): boolean {
  return data % by === 0
}

function withErrors(text: string, data: unknown): boolean {
  ;(withErrors as Errors).errors = [{ keyword: 'withErrors', message: text, params: { data } }]
  return data === text
}

export const keywords: readonly object[] = [
  {
    keyword: 'divisible',
    type: 'number',
    schemaType: 'number',
    validate: divisible,
    errors: false,
  },
  { keyword: 'withErrors', validate: withErrors, errors: true },
  {
    keyword: 'upper',
    type: 'string',
    modifying: true,
    valid: true,
    schema: false,
    errors: false,
    validate: (
      data: string,
      cxt: { parentData: Record<string, unknown>; parentDataProperty: string },
    ) => {
      cxt.parentData[cxt.parentDataProperty] = data.toUpperCase()
      return true
    },
  },
  {
    keyword: 'between',
    type: 'number',
    compile: ([low, high]: [number, number], parent: { strictly?: boolean }) =>
      parent.strictly
        ? (data: number): boolean => data > low && data < high
        : (data: number): boolean => data >= low && data <= high,
  },
  { keyword: 'strictly' },
  { keyword: 'small', type: 'number', macro: (limit: number) => ({ maximum: limit, minimum: 0 }) },
  {
    keyword: 'usesThis',
    validate(this: unknown): boolean {
      return this !== undefined
    },
  },
  {
    keyword: 'careful',
    // In this function `this` occurs in a comment, a string and an inner function.
    validate(text: string, data: unknown): boolean {
      const counter = {
        count: 0,
        add(): void {
          this.count++
        },
      }
      counter.add()
      return data !== `${text} this` && counter.count === 1
    },
  },
  {
    keyword: 'usesContext',
    compile: (_s: unknown, _p: unknown, it: object) => () => Object.keys(it).length > 0,
  },
  {
    keyword: 'asksOfContext',
    compile(this: Ajv, text: string, _parent: unknown, { opts, ...it }: SchemaObjCxt) {
      return () => opts.allErrors && text in it && this.opts.allErrors
    },
  },
  {
    keyword: 'readsContext',
    compile(this: Ajv, prefix: string, _parent: unknown, it: SchemaObjCxt) {
      const { opts, errSchemaPath: path } = it
      const isFirst = this.opts.strictSchema
      return function check(this: Ajv, data: unknown): boolean {
        const seen = [
          opts.allErrors,
          opts['coerceTypes'],
          isFirst,
          path,
          it.baseId,
          it.rootId,
          it.compositeRule,
          it.dataLevel,
          (it as Titled).schemaEnv?.root.schema.title,
          it.self.opts.removeAdditional,
          this.opts.useDefaults,
          data,
        ]
        ;(check as Errors).errors = [{ keyword: 'readsContext', message: JSON.stringify(seen) }]
        return path.startsWith(prefix)
      }
    },
  },
  {
    keyword: 'readsThis',
    validate(this: Ajv | undefined, expected: unknown): boolean {
      return this?.opts.multipleOfPrecision === expected
    },
  },
  {
    keyword: 'logs',
    validate(this: Ajv, text: string): boolean {
      this.logger.log(text)
      return true
    },
  },
  {
    keyword: 'isCompiled',
    compile: (schema: object, _parent: unknown, it: SchemaObjCxt) => it.self.compile(schema),
  },
  {
    keyword: 'compilesInside',
    compile(schema: object, _parent: unknown, it: SchemaObjCxt) {
      const validate = it.self.compile(schema)
      return (data: unknown): boolean => validate(data)
    },
  },
  {
    keyword: 'writes',
    validate(this: { errors: unknown }): boolean {
      this.errors = null
      return true
    },
  },
]

/** A context of a schema with a title. */
interface Titled {
  readonly schemaEnv?: { readonly root: { readonly schema: { readonly title?: string } } }
}

/** A plugin whose functions only exist in its scope. */
export function limits(ajv: Ajv, { most = 2 }: { most?: number } = {}): Ajv {
  return ajv
    .addFormat('few', (text: string) => text.length <= most)
    .addFormat('little', { type: 'number', validate: (value: number) => value <= most })
    .addKeyword({
      keyword: ['atMost', 'notOver'],
      type: 'number',
      validate: (factor: number, value: number) => value <= factor * most,
    })
    .addKeyword({
      keyword: 'times',
      type: 'array',
      compile: (times: number) => (values: unknown[]) => values.length === times * most,
    })
}

/** A plugin that needs more of Ajv than a place for its functions. */
export function curious(ajv: Ajv): void {
  const inner = ajv.compile({ type: 'string' })
  ajv.addKeyword({ keyword: 'curious', validate: (_: unknown, data: unknown) => inner(data) })
}

/** Returns true if the length is even; generated code refers to it. */
export function isEven(text: string): boolean {
  return text.length % 2 === 0
}

/** A keyword that writes code itself. */
export function withCode(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'checked',
    type: 'string',
    code(context: KeywordCxt) {
      const check = context.gen.scopeValue('func', { ref: isEven })
      context.fail(_`!${check}(${context.data})`)
    },
  })
}

export function comment(...given: unknown[]): void {
  comments.push(given)
}

export const comments: unknown[] = []

/** Changes the code that Ajv has made. */
export function process(code: string): string {
  return code.replaceAll('must be integer', 'must be whole')
}

function invert(pattern: string, flags: string) {
  const expression = new RegExp(pattern, flags)
  return {
    test: (text: string) => !expression.test(text),
    toString: () => `not ${String(expression)}`,
  }
}

/** A stub of a regular expression engine: it matches what the pattern doesn't. */
export const engine: CodeOptions['regExp'] = Object.assign(invert, { code: 'engine' })

/** A URI resolver that supports one more scheme. */
export const resolver = {
  parse: (uri: string): { path?: string } => ({ path: uri.replace(/#.*/s, '') }),
  resolve: (base: string, path: string): string =>
    path.startsWith('#') ? base.replace(/#.*/s, '') + path : path,
  serialize: ({ path = '' }: { path?: string }): string => path,
}

/** An application's logger, whose methods use `this`. */
export const logger = {
  logged: [] as unknown[],
  log(...given: unknown[]): void {
    this.logged.push(given)
  },
  warn(...given: unknown[]): void {
    this.logged.push(given)
  },
  error(...given: unknown[]): void {
    this.logged.push(given)
  },
}

class Letter {
  readonly #letter: string
  constructor(letter: string) {
    this.#letter = letter
  }
  validate(text: string): boolean {
    return text === this.#letter
  }
}

/** Formats whose functions use `this`. */
export const odd: Readonly<Record<string, unknown>> = {
  alone(this: unknown): boolean {
    return this === undefined
  },
  member: {
    length: 2,
    validate(this: { length: number }, text: string): boolean {
      return text.length === this.length
    },
  },
  instance: new Letter('a'),
}

/** Where the code of Ajv's own standalone writer would find formats. */
export const formatsCode: unknown = _`require("./formats")`
