/**
 * Recognizes routes whose functions are all in the artifact. The build stores what each route was compiled from as text. The
 * runtime creates the same text for many routes at a time and compares it, which is exact and three times faster than a digest per route.
 *
 * If routes come in another order, or some are missing, they are found by a checksum and then compared. Routes that aren't found are
 * looked up schema by schema.
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

/** Recognizes routes by their text. */
export interface RouteTexts extends RouteCheck {
  /**
   * Reads all texts, until `settle`.
   *
   * @param isLate wait for the first route
   * @throws DamagedArtifactError
   */
  load(isLate: boolean): void
}

/** Number of routes to compare at a time, which makes the cost per call negligible. */
const BATCH = 32

/** Size of the reused buffer in bytes, enough for most batches. */
const SCRATCH = 128 * 1024

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES = 3

const COMMA = 44

/**
 * @param file result of `textOfSlots` for the routes, in the order of the build
 * @param readCatalogue called on first use
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
  /** Where in `slots` each pending route starts. */
  let starts: number[] = []
  /** Current number of routes to compare at a time. */
  let batch = BATCH
  let scratch: Buffer | undefined
  /** True if the last text may not describe its schemas completely. */
  let isDoubtful = false
  /** Content of the file while routes are compared; `null` until it is read. */
  let texts: Buffer | null | undefined
  /** Expected position of the next route in `texts`. */
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
    // Compare fewer routes at a time if few come in the expected order.
    batch = Math.max(batch >> 1, 1)
    const [first] = routes
    if (routes.length === 1) checkOne(first as RouteToCheck, all, bytes)
    else for (const route of routes) checkAgain(route)
  }

  /** Handles a route of a batch that didn't match. */
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

  /**
   * Compiled schemas are described completely by their JSON. The route has its functions if the same is true
   * for its own schemas.
   */
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

  /** Returns whether these are the expected routes, and advances behind them. */
  function isNext(bytes: Buffer | undefined): boolean {
    if (bytes === undefined || !texts) return false
    const end = next + bytes.length
    if (end > texts.length || bytes.compare(texts, next, end) !== 0) return false
    next = end
    return true
  }

  /** Finds the catalogue's entry of a route anywhere, and advances behind it. */
  function find(bytes: Buffer | undefined): RouteLine | undefined {
    if (bytes === undefined) return undefined
    findLines ??= createLineFinder(readCatalogue().routes)
    return findLines(checksumOf(bytes)).find(({ start }) => {
      next = start
      return isNext(bytes)
    })
  }

  /** Adds the slots of a route, if it has any. Reading the user's schemas may throw. */
  function tryToAdd(to: unknown[], { schema, binding }: RouteToCheck): boolean {
    // Errors of this call aren't about the schema.
    readCatalogue()
    if (texts === null) texts = folder.readChecked(file)
    try {
      addSlots(to, schema, binding.factories, numberOf, binding.isCustom, binding.reading)
      return true
    } catch {
      // Checking schema by schema reports the error.
      return false
    }
  }

  /** Encodes the result of `textOfSlots` into a reused buffer. Returns undefined for values without JSON. */
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
    // JSON brackets become the commas that separate entries in the file.
    bytes[bytes.length - 1] = COMMA
    return bytes
  }

  /** Called twice per route. Neighbouring routes usually share their context. */
  function numberOf(units: UnitFactory): number {
    let number = numbers.get(units)
    if (number === undefined) {
      findNumber ??= createSettingsIndex(readCatalogue().settings)
      numbers.set(units, (number = findNumber(units)))
    }
    return number
  }
}
