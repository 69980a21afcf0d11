/**
 * A counted test: a `test()` with no `test()` inside, or all that a file or an outer block asserts
 * outside of its inner blocks.
 */
export interface Block {
  /** Titles from the outside in, joined by ` > `; numbered if they occur several times. */
  readonly title: string
  readonly ok: boolean
}

interface OpenBlock {
  readonly path: string
  readonly depth: number
  hasBlocks: boolean
  isClosed: boolean
  isOk: boolean
  /** True if each of its own assertions holds. */
  readonly own: boolean[]
}

const openingLine = /^( *)# Subtest(?:: (.*))?$/
const pointLine = /^ *(not )?ok \d+(?: - (.*?))?( # (?:time=|SKIP|TODO).*)?$/i

/** Reads the blocks from TAP text. A block that was cut short counts as failed. */
export function readBlocks(tap: string): Block[] {
  const filePoints: { readonly path: string; readonly ok: boolean }[] = []
  const blocks = readTree(tap, (title, ok) => filePoints.push({ path: `(file) ${title}`, ok }))
  const scored = blocks
    .filter(({ hasBlocks, own }) => !hasBlocks || own.length > 0)
    .map(({ path, hasBlocks, isClosed, isOk, own }) => {
      return { path, ok: isClosed && (hasBlocks ? own.every(Boolean) : isOk) }
    })
  const occurrences = new Map<string, number>()
  return [...scored, ...filePoints].map(({ path, ok }) => {
    const occurrence = (occurrences.get(path) ?? 0) + 1
    occurrences.set(path, occurrence)
    return { title: occurrence === 1 ? path : `${path} (${occurrence})`, ok }
  })
}

/** Every block in order of appearance; assertions outside of any block go to `onFilePoint`. */
function readTree(tap: string, onFilePoint: (title: string, ok: boolean) => void): OpenBlock[] {
  const blocks: OpenBlock[] = []
  const open: OpenBlock[] = []
  for (const { line, indent } of linesOutsideDiagnostics(tap)) {
    const opening = openingLine.exec(line)
    const point = opening ? null : pointLine.exec(line)
    if (opening && indent === 4 * open.length) {
      const outer = open.at(-1)
      if (outer) outer.hasBlocks = true
      const title = opening[2] ?? ''
      const block: OpenBlock = {
        path: outer?.path ? `${outer.path} > ${title}` : title,
        depth: open.length,
        hasBlocks: false,
        isClosed: false,
        isOk: false,
        own: [],
      }
      open.push(block)
      blocks.push(block)
    } else if (point) {
      // Inner blocks that were cut short have no point of their own.
      while (open.length > 0 && indent < 4 * (open.length - 1)) open.pop()
      const isSkipped = /# (SKIP|TODO)/i.test(point[3] ?? '')
      const isOk = !point[1]
      const inner = open.at(-1)
      if (inner && indent === 4 * inner.depth) {
        inner.isClosed = true
        inner.isOk = isOk && !isSkipped
        open.pop()
      } else if (inner && indent === 4 * open.length) {
        inner.own.push(isOk && !isSkipped)
      } else if (!inner && indent === 0 && !isSkipped) {
        onFilePoint(point[2] ?? '', isOk)
      }
    }
  }
  return blocks
}

/** Leaves out the `---` to `...` parts under failed points. */
function* linesOutsideDiagnostics(tap: string): Generator<{ line: string; indent: number }> {
  let end: string | undefined
  for (const line of tap.split('\n')) {
    const indent = line.length - line.trimStart().length
    if (end !== undefined) {
      if (line.trimEnd() === end) end = undefined
    } else if (line.trim() === '---') {
      end = `${' '.repeat(indent)}...`
    } else {
      yield { line, indent }
    }
  }
}
