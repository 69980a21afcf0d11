/**
 * Tells at once that the artifact has all functions of a route. The build wrote down what each route was compiled from,
 * one after the other; the runtime writes down the same of many routes at a time, and compares. That takes the engine a
 * third of the time of a digest for each, and is exact.
 *
 * Routes that come in another order, or among which some are missing, are found by a checksum, and then compared. What
 * is not found at all is for somebody else to look at, schema by schema.
 */
import type { Catalogue } from './catalogue.ts'
import { createLineFinder, digestAt, lineAt, type RouteLine } from './catalogue.ts'
import { checksumOf } from './files/checksum.ts'
import type { ArtifactFile, ArtifactFolder } from './files/index.ts'
import { DamagedArtifactError } from './files/index.ts'
import type { Digest, RouteCheck, RouteLines, RouteToCheck } from './index.ts'
import { mayBeInexact } from './json.ts'
import { addSlots, areExact, functionsAt } from './route-slots.ts'
import { createSettingsIndex } from './settings.ts'
import type { UnitFactory } from './units.ts'

/** What checks routes by their text. */
export interface RouteTexts extends RouteCheck {
  /**
   * Reads all texts, until `settle`. Throws a DamagedArtifactError.
   *
   * @param isLate not before the first route
   */
  load(isLate: boolean): void
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
  const lines: RouteLines = {
    functionsOf: (start, nth, slots, at) => functionsAt(slots, at, digestsOf(start, nth)),
  }
  let findLines: ((checksum: number) => readonly RouteLine[]) | undefined
  let findNumber: ((units: UnitFactory) => number) | undefined
  let pending: RouteToCheck[] = []
  let slots: unknown[] = []
  /** Where in `slots` those of each pending route start. */
  let starts: number[] = []
  /** How many routes are compared at a time. */
  let batch = BATCH
  let scratch: Buffer | undefined
  /** Whether what was encoded last may be less than the schemas that it was made of. */
  let isDoubtful = false
  /** The file, while routes are checked; `null` when it is still to be read. */
  let texts: Buffer | null | undefined
  /** Where in `texts` the next route is expected. */
  let next = 0
  return { load, add, addEach, settle }

  function load(isLate: boolean): void {
    texts = isLate ? null : folder.readChecked(file)
    next = 0
  }

  function add(route: RouteToCheck): void {
    const { length } = slots
    if (tryToAdd(slots, route)) {
      pending.push(route)
      starts.push(length)
      if (pending.length >= batch) checkPending()
    } else {
      slots.length = length
      addEach(route)
    }
  }

  function addEach(route: RouteToCheck): void {
    checkPending()
    route.checkEach()
  }

  function settle(): void {
    checkPending()
    texts = undefined
    scratch = undefined
  }

  function checkPending(): void {
    const routes = pending
    if (routes.length === 0) return
    const all = slots
    const firsts = starts
    pending = []
    slots = []
    starts = []
    const bytes = encode(all)
    const start = next
    if (isNext(bytes)) {
      batch = Math.min(2 * batch, BATCH)
      for (let i = 0; i < routes.length; i++) {
        bind(routes[i] as RouteToCheck, start, i, all, firsts[i] as number, firsts[i + 1])
      }
      return
    }
    // The fewer come in order, the fewer are tried at a time.
    batch = Math.max(batch >> 1, 1)
    const [first] = routes
    if (routes.length === 1) checkOne(first as RouteToCheck, all, bytes)
    else for (const route of routes) checkAgain(route)
  }

  /** A route that was checked with others, which are not what comes next. */
  function checkAgain(route: RouteToCheck): void {
    const own: unknown[] = []
    const bytes = tryToAdd(own, route) ? encode(own) : undefined
    const start = next
    if (isNext(bytes)) bind(route, start, 0, own, 0)
    else checkOne(route, own, bytes)
  }

  function checkOne(route: RouteToCheck, own: readonly unknown[], bytes: Buffer | undefined): void {
    const line = find(bytes)
    if (line === undefined) route.checkEach()
    else bind(route, line.start, 0, own, 0)
  }

  /** What was compiled is exact for its JSON, so the route has its functions if its own schemas are no more than that. */
  function bind(
    route: RouteToCheck,
    start: number,
    nth: number,
    all: readonly unknown[],
    at: number,
    end = all.length,
  ): void {
    if (isDoubtful && !areExact(all, at, end)) route.checkEach()
    else route.found(lines, start, nth, all, at)
  }

  function digestsOf(start: number, nth: number): readonly Digest[] {
    const catalogue = readCatalogue()
    const line = lineAt(catalogue.routes, start, nth)
    if (line === undefined) {
      throw new DamagedArtifactError(
        folder.pathOf(file.file),
        'is not what the catalogue describes',
      )
    }
    return line.functions.map((position) => digestAt(catalogue, position))
  }

  /** Whether these are the routes that come next; then goes on behind them. */
  function isNext(bytes: Buffer | undefined): boolean {
    if (bytes === undefined || !texts) return false
    const end = next + bytes.length
    if (end > texts.length || bytes.compare(texts, next, end) !== 0) return false
    next = end
    return true
  }

  /** What the catalogue says of a route, wherever that stands; then goes on behind it. */
  function find(bytes: Buffer | undefined): RouteLine | undefined {
    if (bytes === undefined) return undefined
    findLines ??= createLineFinder(readCatalogue().routes)
    return findLines(checksumOf(bytes)).find(({ start }) => {
      next = start
      return isNext(bytes)
    })
  }

  /** Adds the slots of a route, if it has any: the user's schemas may throw when they are looked at. */
  function tryToAdd(to: unknown[], { schema, binding }: RouteToCheck): boolean {
    // What these throw is not about the schema.
    readCatalogue()
    if (texts === null) texts = folder.readChecked(file)
    try {
      addSlots(to, schema, binding.factories, numberOf, binding.isCustom)
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
    isDoubtful = mayBeInexact(text)
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
