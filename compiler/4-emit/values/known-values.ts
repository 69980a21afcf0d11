/**
 * Recognises values of Ajv's packages that `framework/internal` exports. They are compared by identity, so that an overridden format
 * isn't mistaken for the built-in one.
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

/** Formats of ajv-formats 3 that version 2 lacks, or that differ. Serializers use them for unions. They are implemented here. */
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
let countWhenRead = 0

/** Returns the export of `framework/internal` for a value of any loaded copy of Ajv's packages in a known version. */
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
  addDefault('ajv/dist/runtime/equal.js', 'equal')
  addDefault('ajv/dist/runtime/timestamp.js', 'isTimestamp')
  addDefault('ajv/dist/runtime/ucs2length.js', 'ucs2length')
  addDefault('ajv/dist/runtime/validation_error.js', 'ValidationError')
  for (const { version, exports } of loadedCopies('ajv-formats/dist/formats.js')) {
    const known = FORMATS_BY_VERSION[version]
    const { fullFormats, fastFormats } = exports as FormatsModule
    if (known === undefined) continue
    addAll(fullFormats, known.full)
    addAll(fastFormats, known.fast)
  }
  for (const { version, exports } of loadedCopies('ajv-keywords/dist/definitions/transform.js')) {
    if (!version.startsWith('5.')) continue
    addAll((exports as { transform: Readonly<Record<string, unknown>> }).transform, TRANSFORMS)
  }
}

function addDefault(module: string, name: string): void {
  for (const { version, exports } of loadedCopies(module)) {
    if (version.startsWith('8.')) names.set((exports as { default: unknown }).default, name)
  }
}

function addAll(
  values: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, string>>,
): void {
  for (const [key, name] of Object.entries(known)) {
    if (!(key in values)) throw new Error(`a package of Ajv has no "${key}"`)
    names.set(values[key], name)
  }
}
