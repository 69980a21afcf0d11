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

/** What a file of the build ends with. */
export function buildMark(id: string): string {
  return before + id + after
}

/** The id in a file; `undefined` of what belongs to no build. @throws when it cannot be read */
export function buildOf(file: string): string | undefined {
  const { closeSync, fstatSync, openSync, readSync } = nodeModule('node:fs')
  const fd = openSync(file, 'r')
  try {
    const { size } = fstatSync(fd)
    const end = Buffer.alloc(before.length + ID_LENGTH + after.length)
    readSync(fd, end, 0, end.length, Math.max(0, size - end.length))
    const text = end.toString('latin1')
    const id = text.slice(before.length, -after.length)
    return text === buildMark(id) ? id : undefined
  } finally {
    closeSync(fd)
  }
}

/** Another build, of which there are files where one is missing. */
export function otherBuildIn(folder: string, build: string): string | undefined {
  const { existsSync, readdirSync } = nodeModule('node:fs')
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const builds = files.map(({ name }) => buildOf(nodeModule('node:path').join(folder, name)))
  return builds.find((id) => id !== undefined && id !== build)
}
