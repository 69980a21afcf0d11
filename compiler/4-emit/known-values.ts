/**
 * Values that generated code refers to and that `framework/internal` has: recognised by identity, so that an
 * overridden format or a keyword's own function is never mistaken for a built-in one.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

type Formats = Readonly<Record<string, unknown>>
interface FormatsModule {
  readonly fullFormats: Formats
  readonly fastFormats: Formats
}

/** The exports of `framework/internal` for ajv-formats 2.1.1. */
const FORMATS: Readonly<Record<string, string>> = {
  byte: 'formatByte',
  date: 'formatDate',
  'date-time': 'formatDateTime',
  double: 'formatDouble',
  duration: 'formatDuration',
  email: 'formatEmail',
  float: 'formatFloat',
  hostname: 'formatHostname',
  int32: 'formatInt32',
  int64: 'formatInt64',
  ipv4: 'formatIpv4',
  ipv6: 'formatIpv6',
  'json-pointer': 'formatJsonPointer',
  'json-pointer-uri-fragment': 'formatJsonPointerUriFragment',
  regex: 'formatRegex',
  'relative-json-pointer': 'formatRelativeJsonPointer',
  time: 'formatTime',
  uri: 'formatUri',
  'uri-reference': 'formatUriReference',
  'uri-template': 'formatUriTemplate',
  url: 'formatUrl',
  uuid: 'formatUuid',
}

/** Those that differ with `mode: 'fast'`. */
const FAST_FORMATS: Readonly<Record<string, string>> = {
  date: 'formatDateFast',
  'date-time': 'formatDateTimeFast',
  email: 'formatEmailFast',
  time: 'formatTimeFast',
  uri: 'formatUriFast',
  'uri-reference': 'formatUriReferenceFast',
}

/** ajv-formats 3.0.1, which fast-json-stringify brings along for its unions. */
const UNION_FORMATS: Readonly<Record<string, string>> = {
  ...FORMATS,
  'date-time': 'formatZonedDateTime',
  ipv4: 'formatIpv4Strict',
  'iso-date-time': 'formatIsoDateTime',
  'iso-time': 'formatIsoTime',
  time: 'formatZonedTime',
}

let table: ReadonlyMap<unknown, string> | undefined

/** The export of `framework/internal` that stands for `value`, if it is a built-in one. */
export function knownName(value: unknown): string | undefined {
  table ??= createTable()
  return table.get(value)
}

function createTable(): Map<unknown, string> {
  const names = new Map<unknown, string>([
    [load<{ default: unknown }>('ajv/dist/runtime/ucs2length').default, 'ucs2length'],
    [load<{ default: unknown }>('ajv/dist/runtime/equal').default, 'equal'],
    [load<{ default: unknown }>('ajv/dist/runtime/validation_error').default, 'ValidationError'],
  ])
  const { fullFormats, fastFormats } = load<FormatsModule>('ajv-formats/dist/formats')
  addFormats(names, fullFormats, FORMATS)
  addFormats(names, fastFormats, FAST_FORMATS)
  const serializer = createRequire(require.resolve('fast-json-stringify'))
  const union = serializer('ajv-formats/dist/formats') as FormatsModule
  addFormats(names, union.fullFormats, UNION_FORMATS)
  return names
}

function addFormats(
  names: Map<unknown, string>,
  formats: Formats,
  exports: Readonly<Record<string, string>>,
): void {
  for (const [format, name] of Object.entries(exports)) {
    if (!(format in formats)) throw new Error(`ajv-formats has no "${format}"`)
    names.set(formats[format], name)
  }
}

function load<T>(specifier: string): T {
  return require(specifier) as T
}
