/** What an application's own module may export for `ajv.customOptions`. */
import { _ } from 'ajv'

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
    // In this function `this` stands in a comment, a string and a function of its own.
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
    compile: (_s: unknown, _p: unknown, it: { opts: object }) => () => Boolean(it.opts),
  },
]

interface AjvOfPlugin {
  addFormat(name: string, format: unknown): AjvOfPlugin
  addKeyword(definition: object): AjvOfPlugin
}

/** A plugin whose functions exist in its scope alone. */
export function limits(ajv: AjvOfPlugin, { most = 2 }: { most?: number } = {}): AjvOfPlugin {
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

/** A plugin that asks Ajv for more than a place to put its functions. */
export function curious(
  ajv: AjvOfPlugin & { compile(schema: object): (data: unknown) => boolean },
): void {
  const inner = ajv.compile({ type: 'string' })
  ajv.addKeyword({ keyword: 'curious', validate: (_: unknown, data: unknown) => inner(data) })
}

/** Whether the length is even; generated code refers to it. */
export function isEven(text: string): boolean {
  return text.length % 2 === 0
}

interface CodeContext {
  readonly data: unknown
  readonly gen: { scopeValue(prefix: string, value: { ref: unknown }): unknown }
  fail(condition: unknown): void
}

/** A keyword that writes code itself. */
export function withCode(ajv: AjvOfPlugin): void {
  ajv.addKeyword({
    keyword: 'checked',
    type: 'string',
    code(context: CodeContext) {
      const check = context.gen.scopeValue('func', { ref: isEven })
      context.fail(_`!${check as never}(${context.data as never})`)
    },
  })
}

export function comment(...told: unknown[]): void {
  comments.push(told)
}

export const comments: unknown[] = []

/** Changes the code that Ajv has made. */
export function process(code: string): string {
  return code.replaceAll('must be integer', 'must be whole')
}

interface Engine {
  (pattern: string, flags: string): { test(text: string): boolean; toString(): string }
  readonly code: string
}

function invert(pattern: string, flags: string): ReturnType<Engine> {
  const expression = new RegExp(pattern, flags)
  return { test: (text) => !expression.test(text), toString: () => `not ${String(expression)}` }
}

/** A stand-in for an engine of regular expressions: it matches what the pattern does not. */
export const engine: Engine = Object.assign(invert, { code: 'engine' })
