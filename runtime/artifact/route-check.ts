/**
 * Tells at once that the artifact has all functions of a route. The build wrote down what each route was compiled from,
 * one after the other; the runtime writes down the same of many routes at a time, and compares. That takes the engine a
 * third of the time of a digest for each, and is exact.
 *
 * Routes that come in another order, or among which some are missing, are found by a checksum, and then compared. What
 * is not found at all is for somebody else to look at, schema by schema.
 */
import type { Catalogue } from './catalogue.ts'
import { createLineFinder, digestAt } from './catalogue.ts'
import { checksumOf } from './checksum.ts'
import type { ArtifactFile, ArtifactFolder } from './files.ts'
import type { Digest, RouteCheck } from './index.ts'
import type { RouteSchema } from './normalize.ts'
import type { RouteFactories } from './route-slots.ts'
import { addSlots } from './route-slots.ts'
import { createSettingsIndex } from './settings.ts'
import type { UnitFactory } from './units.ts'

interface Pending {
  readonly schema: RouteSchema
  readonly factories: RouteFactories
  readonly isCustom: boolean
  readonly checkEach: () => void
}

/** What checks routes by their text. */
export interface RouteTexts extends RouteCheck {
  /** Reads all texts, until `settle`. Throws a DamagedArtifactError. */
  load(): void
}

/** So many routes are written down at a time: then the engine's work for each call is small. */
const BATCH = 32

/** Most of what is written at a time fits into this many bytes; it is used again and again. */
const SCRATCH = 128 * 1024

/** UTF-8 takes at most so many bytes for a UTF-16 code unit. */
const MOST_BYTES = 3

const COMMA = 44

/**
 * @param file what `textOfSlots` gives for the routes, in the order in which the build saw them
 * @param readCatalogue called when first needed
 */
export function createRouteCheck(
  folder: ArtifactFolder,
  file: ArtifactFile,
  readCatalogue: () => Catalogue,
): RouteTexts {
  const numbers = new Map<UnitFactory, number>()
  let findLines: ((checksum: number) => readonly string[]) | undefined
  let findNumber: ((units: UnitFactory) => number) | undefined
  let pending: Pending[] = []
  let previous: Pending | undefined
  let slots: unknown[] = []
  /** How many routes are compared at a time. */
  let batch = BATCH
  let scratch: Buffer | undefined
  /** The file, while routes are checked. */
  let texts: Buffer | undefined
  /** Where in `texts` the next route is expected. */
  let next = 0
  return { load, add, settle, digestsOf }

  function load(): void {
    texts = folder.readChecked(file)
    next = 0
  }

  function add(
    schema: RouteSchema,
    factories: RouteFactories,
    isCustom: boolean,
    checkEach: () => void,
  ): void {
    if (previous?.schema === schema && isTwin(previous, factories, isCustom)) return
    previous = { schema, factories, isCustom, checkEach }
    const { length } = slots
    if (tryToAdd(slots, schema, factories, isCustom)) {
      pending.push(previous)
      if (pending.length >= batch) checkPending()
    } else {
      slots.length = length
      checkPending()
      checkEach()
    }
  }

  function settle(): void {
    checkPending()
    previous = undefined
    texts = undefined
    scratch = undefined
  }

  function checkPending(): void {
    const routes = pending
    const all = slots
    pending = []
    slots = []
    if (routes.length === 0) return
    const bytes = encode(all)
    if (isNext(bytes)) {
      batch = Math.min(2 * batch, BATCH)
      return
    }
    // The fewer come in order, the fewer are tried at a time.
    batch = Math.max(batch >> 1, 1)
    const [first] = routes
    if (routes.length === 1) {
      if (find(bytes) === undefined) first?.checkEach()
      return
    }
    for (const { schema, factories, isCustom, checkEach } of routes) {
      const own = encodeRoute(schema, factories, isCustom)
      if (!isNext(own) && find(own) === undefined) checkEach()
    }
  }

  function digestsOf(
    schema: RouteSchema,
    factories: RouteFactories,
    isCustom: boolean,
  ): readonly Digest[] | undefined {
    const catalogue = readCatalogue()
    // Behind where its text starts.
    const functions = find(encodeRoute(schema, factories, isCustom))
      ?.split(' ')
      .slice(1)
    return functions?.map((nth) => digestAt(catalogue, Number(nth)))
  }

  /** Whether these are the routes that come next; then goes on behind them. */
  function isNext(bytes: Buffer | undefined): boolean {
    if (bytes === undefined || texts === undefined) return false
    const end = next + bytes.length
    if (end > texts.length || bytes.compare(texts, next, end) !== 0) return false
    next = end
    return true
  }

  /** What the catalogue says of a route, wherever that stands; then goes on behind it. */
  function find(bytes: Buffer | undefined): string | undefined {
    if (bytes === undefined) return undefined
    findLines ??= createLineFinder(readCatalogue().routes)
    for (const line of findLines(checksumOf(bytes))) {
      const start = Number.parseInt(line, 10)
      const end = start + bytes.length
      const found = texts ?? folder.readPart(file, start, end)
      const at = texts ? start : 0
      if (at + bytes.length <= found.length && bytes.compare(found, at, at + bytes.length) === 0) {
        next = end
        return line
      }
    }
    return undefined
  }

  function encodeRoute(
    schema: RouteSchema,
    factories: RouteFactories,
    isCustom: boolean,
  ): Buffer | undefined {
    const own: unknown[] = []
    return tryToAdd(own, schema, factories, isCustom) ? encode(own) : undefined
  }

  /** Adds the slots of a route, if it has any: the user's schemas may throw when they are looked at. */
  function tryToAdd(
    to: unknown[],
    schema: RouteSchema,
    factories: RouteFactories,
    isCustom: boolean,
  ): boolean {
    // What it throws is not about the schema.
    readCatalogue()
    try {
      addSlots(to, schema, factories, numberOf, isCustom)
      return true
    } catch {
      // The check of each schema tells what is wrong with it.
      return false
    }
  }

  /** What `textOfSlots` gives, in memory that the next call uses again; `undefined` for what has no JSON. */
  function encode(given: readonly unknown[]): Buffer | undefined {
    let text
    try {
      text = JSON.stringify(given)
    } catch {
      // As above.
      return undefined
    }
    let bytes: Buffer
    if (text.length * MOST_BYTES <= SCRATCH) {
      scratch ??= Buffer.allocUnsafeSlow(SCRATCH)
      bytes = scratch.subarray(1, scratch.write(text))
    } else {
      bytes = Buffer.from(text).subarray(1)
    }
    // Between brackets stands what is between commas in the file.
    bytes[bytes.length - 1] = COMMA
    return bytes
  }

  /** Asked twice for each route: a context mostly declares several in a row. */
  function numberOf(units: UnitFactory): number {
    let number = numbers.get(units)
    if (number === undefined) {
      findNumber ??= createSettingsIndex(readCatalogue().settings)
      numbers.set(units, (number = findNumber(units)))
    }
    return number
  }
}

/** Whether a route with the same schema, such as the one for HEAD, needs the very same functions. */
function isTwin(
  one: Pending,
  { validators, serializers }: RouteFactories,
  isCustom: boolean,
): boolean {
  const { factories } = one
  return (
    factories.validators === validators &&
    factories.serializers === serializers &&
    one.isCustom === isCustom
  )
}
