/**
 * Values that generated code refers to and that `framework/internal` has: recognised by identity, so that an
 * overridden format or a keyword's own function is never mistaken for a built-in one.
 */
import type { Format } from 'ajv'
import { collectWithin, within } from '../../../runtime/generated/failure.ts'
import { formatIpv4Strict } from '../../../runtime/generated/formats/network.ts'
import {
  formatIsoDateTime,
  formatIsoTime,
  formatZonedDateTime,
  formatZonedTime,
} from '../../../runtime/generated/formats/zoned-date.ts'
import { FORMATS_2, FORMATS_3, TRANSFORMS, type FormatNames } from './known-names.ts'
import { loadedCopies, loadedCount } from './loaded-packages.ts'

interface FormatsModule {
  readonly fullFormats: Readonly<Record<string, unknown>>
  readonly fastFormats: Readonly<Record<string, unknown>>
}

const FORMATS_BY_VERSION: Readonly<Record<string, FormatNames>> = {
  '2.1.1': FORMATS_2,
  '3.0.1': FORMATS_3,
}

/**
 * What ajv-formats 3, which serializers tell unions apart with, has in place of the formats of version 2 and besides.
 * They are our own, so that no other copy of it decides what goes into an artifact.
 */
export const ZONED_FORMATS: Readonly<Record<string, Format>> = {
  'date-time': formatZonedDateTime,
  'iso-date-time': formatIsoDateTime,
  'iso-time': formatIsoTime,
  ipv4: formatIpv4Strict,
  time: formatZonedTime,
}

const names = new Map<unknown, string>([
  [within, 'within'],
  [collectWithin, 'collectWithin'],
])
for (const [name, format] of Object.entries(ZONED_FORMATS))
  names.set(format, FORMATS_3.full[name] as string)
let countWhenLearnt = 0

/**
 * The export of `framework/internal` that stands for `value`, if it is a built-in one. All loaded copies of
 * Ajv's packages count, if their version is one that we know.
 */
export function knownName(value: unknown): string | undefined {
  const name = names.get(value)
  if (name !== undefined) return name
  const count = loadedCount()
  if (count === countWhenLearnt) return undefined
  countWhenLearnt = count
  learn()
  return names.get(value)
}

function learn(): void {
  learnDefault('ajv/dist/runtime/equal.js', 'equal')
  learnDefault('ajv/dist/runtime/timestamp.js', 'isTimestamp')
  learnDefault('ajv/dist/runtime/ucs2length.js', 'ucs2length')
  learnDefault('ajv/dist/runtime/validation_error.js', 'ValidationError')
  for (const { version, exports } of loadedCopies('ajv-formats/dist/formats.js')) {
    const known = FORMATS_BY_VERSION[version]
    const { fullFormats, fastFormats } = exports as FormatsModule
    if (known === undefined) continue
    learnAll(fullFormats, known.full)
    learnAll(fastFormats, known.fast)
  }
  for (const { version, exports } of loadedCopies('ajv-keywords/dist/definitions/transform.js')) {
    if (!version.startsWith('5.')) continue
    learnAll((exports as { transform: Readonly<Record<string, unknown>> }).transform, TRANSFORMS)
  }
}

function learnDefault(module: string, name: string): void {
  for (const { version, exports } of loadedCopies(module)) {
    if (version.startsWith('8.')) names.set((exports as { default: unknown }).default, name)
  }
}

function learnAll(
  values: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, string>>,
): void {
  for (const [key, name] of Object.entries(known)) {
    if (!(key in values)) throw new Error(`a package of Ajv has no "${key}"`)
    names.set(values[key], name)
  }
}
