/** Maps names in packages of Ajv to exports of `framework/internal`, and these to shorter ones. */
import * as generated from '../../../runtime/generated/index.ts'
import * as short from '../../../runtime/generated/short-names.ts'

export interface FormatNames {
  readonly full: Readonly<Record<string, string>>
  /** Formats that differ with `mode: 'fast'`. */
  readonly fast: Readonly<Record<string, string>>
}

/** Names exports after formats: `date-time` is `formatDateTime`. */
function exportNames(formats: string, end = ''): Readonly<Record<string, string>> {
  const pascal = (format: string): string =>
    format.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())
  return Object.fromEntries(
    formats.split(/\s+/).map((format) => [format, `format${pascal(format)}${end}`]),
  )
}

/** ajv-formats 2.1.1, which Fastify 4.21 uses. */
export const FORMATS_2: FormatNames = {
  full: exportNames(`byte date date-time double duration email float hostname int32 int64 ipv4 ipv6
    json-pointer json-pointer-uri-fragment regex relative-json-pointer time uri uri-reference uri-template
    url uuid`),
  fast: exportNames('date date-time email time uri uri-reference', 'Fast'),
}

/** ajv-formats 3.0.1, which fast-json-stringify uses for unions. */
export const FORMATS_3: FormatNames = {
  full: {
    ...FORMATS_2.full,
    'date-time': 'formatZonedDateTime',
    ipv4: 'formatIpv4Strict',
    'iso-date-time': 'formatIsoDateTime',
    'iso-time': 'formatIsoTime',
    time: 'formatZonedTime',
  },
  fast: {
    ...FORMATS_2.fast,
    'date-time': 'formatZonedDateTimeFast',
    'iso-date-time': 'formatIsoDateTimeFast',
    'iso-time': 'formatIsoTimeFast',
    time: 'formatZonedTimeFast',
  },
}

/** The functions of `transform` in ajv-keywords 5. */
export const TRANSFORMS: Readonly<Record<string, string>> = {
  toEnumCase: 'toEnumCase',
  toLowerCase: 'toLowerCase',
  toUpperCase: 'toUpperCase',
  trim: 'trim',
  trimEnd: 'trimEnd',
  trimLeft: 'trimStart',
  trimRight: 'trimEnd',
  trimStart: 'trimStart',
}

const shortNames = new Map(Object.entries(short).map(([name, value]) => [value as unknown, name]))

/** Maps names of exports to shorter ones for the same function. They save a tenth of the code. */
export const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(generated).flatMap(([name, value]): [string, string][] => {
    const shorter = shortNames.get(value)
    return shorter === undefined || shorter === name ? [] : [[name, shorter]]
  }),
)
