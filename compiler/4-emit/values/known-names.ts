/** Maps names in packages of Ajv to exports of `framework/internal`, and these to shorter ones. */
import * as generated from '../../../runtime/generated/index.ts'
import * as short from '../../../runtime/generated/short-names.ts'

export interface FormatNames {
  readonly full: Readonly<Record<string, string>>
  /** Formats that differ with `mode: 'fast'`. */
  readonly fast: Readonly<Record<string, string>>
}

/** ajv-formats 2.1.1, which Fastify 4.21 uses. */
export const FORMATS_2: FormatNames = {
  full: {
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
  },
  fast: {
    date: 'formatDateFast',
    'date-time': 'formatDateTimeFast',
    email: 'formatEmailFast',
    time: 'formatTimeFast',
    uri: 'formatUriFast',
    'uri-reference': 'formatUriReferenceFast',
  },
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
