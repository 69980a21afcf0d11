/** Option sets that random schemas are compiled under, with the keywords that they know. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CompileUnit, ValidatorOptions } from '../../runtime/artifact/index.ts'
import type { Feature } from '../support/random-keywords.ts'
import * as functions from '../support/user-functions.ts'

const require = createRequire(import.meta.url)
const [ajvErrors, ajvKeywords, ajvMergePatch, ajvFormats] = [
  'ajv-errors',
  'ajv-keywords',
  'ajv-merge-patch',
  'ajv-formats',
].map((name) => require(name) as unknown)

export interface Profile {
  readonly name: string
  readonly kind: CompileUnit['kind']
  readonly options: CompileUnit['options']
  readonly features: readonly Feature[]
}

function validator(
  name: string,
  customOptions: Record<string, unknown>,
  features: readonly Feature[] = [],
  more: Partial<ValidatorOptions> = {},
): Profile {
  const options = { customOptions, plugins: [], ...more }
  return { name, kind: 'validator', options, features }
}

const { formats, keywords } = functions

const specifier = fileURLToPath(new URL('../support/user-functions.js', import.meta.url))

/** The functions in option sets: the module that exports each, and its name there. */
export const exported: ReadonlyMap<unknown, readonly [specifier: string, name: string]> = new Map([
  [ajvErrors, ['ajv-errors', 'default']],
  [ajvKeywords, ['ajv-keywords', 'default']],
  [ajvMergePatch, ['ajv-merge-patch', 'default']],
  [ajvFormats, ['ajv-formats', 'default']],
  [formats, [specifier, 'formats']],
  [keywords, [specifier, 'keywords']],
])

export const profiles: readonly Profile[] = [
  validator('default', {}, ['references']),
  validator('default, without references', {}),
  validator('allErrors', { allErrors: true }, ['references']),
  validator("removeAdditional: 'all'", { removeAdditional: 'all' }),
  validator("removeAdditional: 'failing'", { removeAdditional: 'failing' }),
  validator('removeAdditional: false', { removeAdditional: false, allErrors: true }),
  validator("useDefaults: 'empty'", { useDefaults: 'empty' }),
  validator('useDefaults: false', { useDefaults: false }),
  validator('coerceTypes: false', { coerceTypes: false }),
  validator('coerceTypes: true', { coerceTypes: true }),
  validator('verbose', { verbose: true }),
  validator('messages: false', { messages: false, allErrors: true }),
  validator('$data', { $data: true, strictTypes: false }, ['$data']),
  validator('$data, allErrors', { $data: true, allErrors: true, verbose: true }, ['$data']),
  validator('ownProperties', { ownProperties: true }),
  validator('inlineRefs: false', { inlineRefs: false }, ['references']),
  validator('inlineRefs: 2', { inlineRefs: 2, verbose: true }, ['references']),
  validator('ignoreKeywordsWithRef', { ignoreKeywordsWithRef: true }, ['references']),
  validator(
    'failing, empty, own',
    { removeAdditional: 'failing', useDefaults: 'empty', ownProperties: true, allErrors: true },
    ['references'],
  ),
  validator('meta: false', { meta: false, validateSchema: false, strictRequired: 'log' }),
  validator('unicodeRegExp: false', { unicodeRegExp: false, unicode: false }),
  validator('strict: false', { strict: false }),
  validator('loops', { loopEnum: 1, loopRequired: 1 }),
  validator('passContext', { passContext: true, multipleOfPrecision: 3 }),
  validator('validateFormats: false', { validateFormats: false, strictNumbers: false }),
  validator('code', { code: { optimize: false, lines: true, es5: true } }),
  validator('discriminator', { discriminator: true }, ['discriminator', 'references']),
  validator('discriminator, allErrors', { discriminator: true, allErrors: true, $data: true }, [
    'discriminator',
    'references',
    '$data',
  ]),
  validator('ajv-errors', { allErrors: true }, ['ajv-errors'], { plugins: [ajvErrors] }),
  validator('ajv-errors, one', { allErrors: true, verbose: true }, ['ajv-errors'], {
    plugins: [[ajvErrors, { singleError: true }]],
  }),
  validator('ajv-errors, kept', { allErrors: true, $data: true }, ['ajv-errors', '$data'], {
    plugins: [[ajvErrors, { keepErrors: true, singleError: '; ' }]],
  }),
  validator('ajv-keywords', { strictTypes: false }, ['ajv-keywords'], { plugins: [ajvKeywords] }),
  validator('ajv-keywords, allErrors', { allErrors: true, coerceTypes: false }, ['ajv-keywords'], {
    plugins: [ajvKeywords],
  }),
  validator('ajv-merge-patch', {}, ['ajv-merge-patch'], { plugins: [ajvMergePatch] }),
  validator('functions', { formats, keywords, strictTypes: false }, ['user-functions']),
  validator('functions, allErrors', { formats, keywords, allErrors: true }, ['user-functions']),
  validator('fast formats', {}, [], { plugins: [[ajvFormats, { mode: 'fast', keywords: true }]] }),
  validator('2019', {}, ['draft-2019'], { mode: '2019' }),
  validator('2019, allErrors', { allErrors: true }, ['draft-2019'], { mode: '2019' }),
  validator('2020', {}, ['draft-2020'], { mode: '2020' }),
  validator('2020, allErrors', { allErrors: true, verbose: true }, ['draft-2020'], {
    mode: '2020',
  }),
  ...[
    // Twice, so that twice as many rounds use the defaults.
    {},
    {},
    { rounding: 'ceil' },
    { rounding: 'floor' },
    { rounding: 'round' },
    { largeArrayMechanism: 'json-stringify', largeArraySize: 2 },
    { objectMechanism: 'native' },
  ].map((options): Profile => {
    return { name: JSON.stringify(options), kind: 'serializer', options, features: [] }
  }),
]
