/**
 * The mark at the end of each file of a deployment, with the id of the build. It detects that files of different builds are mixed.
 *
 * It's a comment for JavaScript files. For other files, readers know the size without it.
 */
import { nodeModule } from '../../platform/index.ts'

/** Number of characters. */
export const ID_LENGTH = 16

const before = '\n//# build='
const after = '\n'

/** Number of bytes. */
export const MARK_LENGTH: number = before.length + ID_LENGTH + after.length

/** Returns the mark to append to a file. */
export function buildMark(id: string): string {
  return before + id + after
}

/**
 * Reads the id in a file; undefined if there is no mark.
 *
 * @throws if the file can't be read
 */
export function buildOf(file: string): string | undefined {
  const { closeSync, fstatSync, openSync } = nodeModule('node:fs')
  const fd = openSync(file, 'r')
  try {
    return buildAt(fd, fstatSync(fd).size)
  } finally {
    closeSync(fd)
  }
}

/** Reads the id in an open file. */
export function buildAt(fd: number, size: number): string | undefined {
  const end = Buffer.allocUnsafe(MARK_LENGTH)
  const start = Math.max(0, size - MARK_LENGTH)
  const length = nodeModule('node:fs').readSync(fd, end, 0, MARK_LENGTH, start)
  return buildIn(end.subarray(0, length))
}

/** Reads the id in the end of a file. */
export function buildIn(end: Buffer): string | undefined {
  const text = end.toString('latin1')
  const id = text.slice(before.length, -after.length)
  return text === buildMark(id) ? id : undefined
}

/** Finds another build in a folder, to explain why a file is missing. */
export function otherBuildIn(folder: string, build: string): string | undefined {
  const { existsSync, readdirSync } = nodeModule('node:fs')
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const builds = files.map(({ name }) => buildOf(nodeModule('node:path').join(folder, name)))
  return builds.find((id) => id !== undefined && id !== build)
}
