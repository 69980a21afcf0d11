/**
 * The id of the build that a deployment is: it ends each of its files, so that what was put together from several is noticed.
 *
 * As a comment, which JavaScript passes over; whoever reads anything else reads as many bytes as there were before.
 */
import { nodeModule } from '../../platform/index.ts'

/** Letters of an id. */
export const ID_LENGTH = 16

const before = '\n//# build='
const after = '\n'

/** In bytes. */
export const MARK_LENGTH: number = before.length + ID_LENGTH + after.length

/** What a file of the build ends with. */
export function buildMark(id: string): string {
  return before + id + after
}

/** The id in a file; `undefined` of what belongs to no build. @throws when it cannot be read */
export function buildOf(file: string): string | undefined {
  const { closeSync, fstatSync, openSync } = nodeModule('node:fs')
  const fd = openSync(file, 'r')
  try {
    return buildAt(fd, fstatSync(fd).size)
  } finally {
    closeSync(fd)
  }
}

/** The same of a file that is open. */
export function buildAt(fd: number, size: number): string | undefined {
  const end = Buffer.allocUnsafe(MARK_LENGTH)
  const start = Math.max(0, size - MARK_LENGTH)
  const length = nodeModule('node:fs').readSync(fd, end, 0, MARK_LENGTH, start)
  return buildIn(end.subarray(0, length))
}

/** The same of a file's end. */
export function buildIn(end: Buffer): string | undefined {
  const text = end.toString('latin1')
  const id = text.slice(before.length, -after.length)
  return text === buildMark(id) ? id : undefined
}

/** Another build, of which there are files where one is missing. */
export function otherBuildIn(folder: string, build: string): string | undefined {
  const { existsSync, readdirSync } = nodeModule('node:fs')
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const builds = files.map(({ name }) => buildOf(nodeModule('node:path').join(folder, name)))
  return builds.find((id) => id !== undefined && id !== build)
}
