/**
 * A scan that need not be: what the last build has found is found again where a file differs from what it was then in
 * literals of plain data alone that nothing has looked into (`data/`). Then only values and places are others.
 *
 * Whoever calls this knows that nothing else is another that the scan has read. Anything that is not known here for sure
 * is a reason to scan: `undefined`, or later `NotKept`.
 */
import type {
  KeptFile,
  KeptScan,
  NumberedScan,
  Recalled,
  ScannedGraph,
  SourceGraph,
  SourceLocation,
  StaticValue,
} from '../../model/index.ts'
import type { Path } from '../places.ts'
import { createStatic } from '../statics.ts'
import { editOf } from './edit.ts'
import type { Edit } from './edit.ts'
import { Lines } from './lines.ts'
import { KeptLiteral } from './literal.ts'
import type { WrittenLiteral } from './literal.ts'
import { NotKept } from './not-kept.ts'
import { memberAt, pack } from './pack.ts'
import type { PackedStatic } from './pack.ts'

export { NotKept } from './not-kept.ts'

/**
 * The graph of an application of which some files have changed.
 *
 * @param kept good for nothing afterwards
 * @param root the folder of the application: no value may name it
 * @param texts of the files that are others than they were
 */
export function restoreScan(
  kept: KeptScan,
  root: string,
  texts: ReadonlyMap<string, string>,
): Restored | undefined {
  try {
    return restore(kept, root, texts)
  } catch (error) {
    const isTooDeep = error instanceof RangeError && error.message.includes('call stack')
    if (!isTooDeep && !(error instanceof NotKept)) throw error
    return undefined
  }
}

/** With the numbers of what stands in the graph. */
export interface Restored extends Pick<Recalled, 'numbers' | 'edited'> {
  readonly graph: SourceGraph
}

function restore(
  kept: KeptScan,
  root: string,
  texts: ReadonlyMap<string, string>,
): Restored | undefined {
  const edits = new Map<KeptFile, Edit>()
  for (const [file, text] of texts) {
    const before = kept.files.find((one) => one.file === file)
    const edit = before && editOf(before, text)
    if (edit === undefined || [...edit.written.values()].some(({ value }) => names(value, root)))
      return undefined
    edits.set(edit.before, edit)
  }
  const editByShown = new Map([...edits.values()].map((edit) => [edit.before.shown, edit]))
  const literals = kept.files.flatMap((file) => literalsOf(file, edits.get(file)))
  const numbers = new Map<StaticValue, number>()
  const edited = new Set<StaticValue>()
  const scanned = restored(kept.graph as object) as ScannedGraph
  const named = kept.files.map((file) => edits.get(file)?.names ?? file.names)
  const graph: SourceGraph = {
    ...scanned,
    names: new Set(named.flatMap((names) => [...names.keys()])),
    literals: () => {
      throw new NotKept()
    },
    // What it was restored from is good for the next build as well.
    kept: () => undefined,
    letGo: () => undefined,
  }
  return { graph, numbers, edited }

  /** In its place: the graph was read for this alone. */
  function restored(value: object): object {
    if ('#' in value) return restoredStatic(value as PackedStatic)
    if (isPlace(value)) return relocated(value)
    const members = value as Record<string, unknown>
    for (const key of Object.keys(members)) {
      const member = members[key]
      if (typeof member === 'object' && member !== null) members[key] = restored(member)
    }
    return value
  }

  function relocated(place: SourceLocation): SourceLocation {
    return editByShown.get(place.file)?.relocate(place) ?? place
  }

  function restoredStatic(stored: PackedStatic): StaticValue {
    let { value } = stored
    const changed: Path[] = []
    const data = stored.data.map(({ path, literal: number }) => {
      const { literal, written } = literals[number] as NumberedLiteral
      if (written !== undefined) {
        value = withMember(value, path, structuredClone(written.value))
        changed.push(path)
      }
      return { path, literal }
    })
    const places = new Map<string, SourceLocation>()
    for (const [key, place] of stored.places) {
      const [, ...path] = JSON.parse(key) as ['' | 'name', ...(string | number)[]]
      if (!changed.some((one) => one.length < path.length && leadsTo(one, path))) {
        places.set(key, relocated(place))
      }
    }
    const inserted = data.map((one) => ({ ...one, value: memberAt(value, one.path) as object }))
    const made = createStatic(
      { value, at: relocated(stored.at) },
      { sliced: stored.sliced, data: inserted, places },
      (path, what) => {
        const owner = data.find((one) => one.path.length < path.length && leadsTo(one.path, path))
        const place = owner?.literal.locate(path.slice(owner.path.length), what)
        if (place === undefined) throw new NotKept()
        return place
      },
    )
    numbers.set(made, stored.number)
    if (changed.length > 0) edited.add(made)
    return made
  }
}

interface NumberedLiteral {
  readonly literal: KeptLiteral
  /** When it is another. */
  readonly written: WrittenLiteral | undefined
}

function literalsOf(file: KeptFile, edit: Edit | undefined): NumberedLiteral[] {
  const { text, literals } = edit ?? file
  let lines: Lines | undefined
  const linesOf = (): Lines => (lines ??= new Lines(text))
  return literals.map((range, i) => {
    const written = edit?.written.get(i)
    return { literal: new KeptLiteral(file, linesOf, range, written), written }
  })
}

/** @param literals of all files, in their order, as statics name them */
export function keptScan(
  graph: ScannedGraph,
  files: readonly KeptFile[],
  literals: readonly object[],
): NumberedScan | undefined {
  const packed = pack(graph, new Map(literals.map((literal, i) => [literal, i])))
  return packed && { ...packed, files }
}

/** Whether a folder stands in a value. */
function names(value: object, folder: string): boolean {
  return JSON.stringify(value).includes(JSON.stringify(folder).slice(1, -1))
}

function leadsTo(path: Path, further: Path): boolean {
  return path.every((key, i) => String(key) === String(further[i]))
}

/** With another value at `path`; what is above that is changed. */
function withMember(value: unknown, path: Path, member: unknown): unknown {
  const key = path.at(-1)
  if (key === undefined) return member
  const owner = memberAt(value, path.slice(0, -1)) as Record<string | number, unknown>
  owner[key] = member
  return value
}

function isPlace(value: object): value is SourceLocation {
  return 'line' in value && 'column' in value && 'file' in value
}
