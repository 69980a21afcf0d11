/**
 * Recognises values of Ajv's packages that `framework/internal` exports. They are compared by identity, so that an overridden format
 * isn't mistaken for the built-in one.
 */
import type { Format } from 'ajv'
import * as generated from '../../../runtime/generated/index.ts'
import { loadedCopies, loadedCount } from './loaded-packages.ts'

type Values = Readonly<Record<string, unknown>>

const { within, collectWithin } = generated
const { formatIpv4Strict, formatIsoDateTime, formatIsoTime, formatZonedDateTime, formatZonedTime } =
  generated

/** Formats of ajv-formats 3 that version 2 lacks, or that differ, and are implemented here. Validators of Fastify 5 use them, and serializers for unions. */
export const ZONED_FORMATS: Readonly<Record<string, Format>> = {
  'date-time': formatZonedDateTime,
  'iso-date-time': formatIsoDateTime,
  'iso-time': formatIsoTime,
  ipv4: formatIpv4Strict,
  time: formatZonedTime,
}

/** The supported versions of ajv-formats, with the exports for formats that differ from version 2. */
const FORMAT_VERSIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Validators of Fastify 4.21 use it.
  '2.1.1': {},
  // Validators of Fastify 5 use it, and fast-json-stringify for unions.
  '3.0.1': {
    'date-time': 'formatZonedDateTime',
    ipv4: 'formatIpv4Strict',
    time: 'formatZonedTime',
  },
}

/** The modules in `ajv/dist/runtime` whose values `framework/internal` implements, with its names for them. */
const RUNTIME: Readonly<Record<string, string>> = {
  equal: 'equal',
  timestamp: 'isTimestamp',
  ucs2length: 'ucs2length',
  validation_error: 'ValidationError',
}

const IMPLEMENTED_HERE: Values = {
  collectWithin,
  formatIpv4Strict,
  formatIsoDateTime,
  formatIsoTime,
  formatZonedDateTime,
  formatZonedTime,
  within,
}
const names = new Map(Object.entries(IMPLEMENTED_HERE).map(([name, value]) => [value, name]))
let countWhenRead = 0

/** Returns the name under which `framework/internal` exports a value: its own, or that of any loaded copy of Ajv's packages in a known version. */
export function knownName(value: unknown): string | undefined {
  const name = names.get(value)
  if (name !== undefined) return name
  const count = loadedCount()
  if (count === countWhenRead) return undefined
  countWhenRead = count
  readCopies()
  return names.get(value)
}

function readCopies(): void {
  for (const [file, name] of Object.entries(RUNTIME)) {
    for (const { version, exports } of loadedCopies(`ajv/dist/runtime/${file}.js`)) {
      if (version.startsWith('8.')) add((exports as { default: unknown }).default, name)
    }
  }
  for (const { version, exports } of loadedCopies('ajv-formats/dist/formats.js')) {
    const { fullFormats, fastFormats } = exports as Readonly<Record<string, Values>>
    const renamed = FORMAT_VERSIONS[version]
    if (renamed === undefined) continue
    for (const [format, value] of Object.entries(fullFormats ?? {})) {
      const name = renamed[format] ?? `format${pascal(format)}`
      const fast = fastFormats?.[format]
      add(value, name)
      if (fast !== value) add(fast, `${name}Fast`)
    }
  }
  for (const { version, exports } of loadedCopies('ajv-keywords/dist/definitions/transform.js')) {
    if (!version.startsWith('5.')) continue
    const { transform = {} } = exports as Readonly<Record<string, Values>>
    // `trimLeft` is `trimStart` in the runtime.
    for (const [name, value] of Object.entries(transform))
      add(value, name.replace('Left', 'Start').replace('Right', 'End'))
  }
}

function add(value: unknown, name: string): void {
  if (Object.hasOwn(generated, name)) names.set(value, name)
}

/** `DateTime` of `date-time`. */
function pascal(format: string): string {
  return format.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())
}
