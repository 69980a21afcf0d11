/** Reads the files of an artifact. */
import { nodeModule } from '../../platform/index.ts'
import { checksumOf } from './checksum.ts'

/** A file that the build wrote. */
export interface ArtifactFile {
  /** Relative to the artifact's folder. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** `checksumOf` its content. */
  readonly checksum: number
}

/** A file of the artifact is not what the build wrote. */
export class DamagedArtifactError extends Error {
  readonly file: string
  constructor(file: string, reason: string) {
    super(`"${file}" ${reason}`)
    this.file = file
  }
}

/** All of its functions throw a DamagedArtifactError for a file that cannot be read. */
export interface ArtifactFolder {
  /** A file as it is. */
  read(file: string): Buffer
  /** @throws DamagedArtifactError unless it is what the build wrote */
  readChecked(file: ArtifactFile): Buffer
  /** The same as `readChecked`, and keeps nothing. */
  check(file: ArtifactFile): void
  /** The name to show. */
  pathOf(file: string): string
}

/** Each fresh page of memory costs a start more than to read it full: files that are only checked share this much. */
const SCRATCH = 64 * 1024

/** A file whose size nobody has written down has fewer bytes than this. */
const MOST = 256 * 1024 * 1024

/** @param url of a file in the folder */
export function openFolder(url: string): ArtifactFolder {
  let folder: string | undefined
  let scratch: Buffer | undefined
  return { read, readChecked, check, pathOf }

  function pathOf(file: string): string {
    folder ??= nodeModule('node:url').fileURLToPath(new URL('.', url))
    return folder + file
  }

  function read(file: string): Buffer {
    return withOpen(file, (fd, size) => {
      if (size > MOST) throw new DamagedArtifactError(pathOf(file), `has ${size} bytes`)
      return nodeModule('node:fs').readFileSync(fd)
    })
  }

  function readChecked(entry: ArtifactFile): Buffer {
    const content = withOpen(entry.file, (fd, size) => {
      if (size !== entry.size) throw changed(entry)
      return nodeModule('node:fs').readFileSync(fd)
    })
    if (content.length !== entry.size || checksumOf(content) !== entry.checksum)
      throw changed(entry)
    return content
  }

  function check(entry: ArtifactFile): void {
    const bytes = (scratch ??= Buffer.allocUnsafeSlow(SCRATCH))
    let rest = entry.size
    let checksum = 0
    withOpen(entry.file, (fd, size) => {
      if (size !== entry.size) throw changed(entry)
      const { readSync } = nodeModule('node:fs')
      let length
      do {
        length = readSync(fd, bytes, 0, SCRATCH, null)
        rest -= length
        checksum = checksumOf(bytes.subarray(0, length), checksum)
      } while (length > 0 && rest > 0)
    })
    if (rest !== 0 || checksum !== entry.checksum) throw changed(entry)
  }

  /** Opens what is a file: a pipe would be waited for, and a device may never end. */
  function withOpen<T>(file: string, use: (fd: number, size: number) => T): T {
    const { openSync, fstatSync, closeSync, constants } = nodeModule('node:fs')
    try {
      // Where there is no such flag there are no such files.
      const fd = openSync(pathOf(file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      try {
        const stats = fstatSync(fd)
        if (!stats.isFile()) throw new DamagedArtifactError(pathOf(file), 'is no file')
        return use(fd, stats.size)
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      throw error instanceof DamagedArtifactError ? error : unreadable(file, error)
    }
  }

  function changed({ file }: ArtifactFile): DamagedArtifactError {
    return new DamagedArtifactError(pathOf(file), 'is not what the build wrote')
  }

  function unreadable(file: string, error: unknown): DamagedArtifactError {
    return new DamagedArtifactError(pathOf(file), `cannot be read: ${(error as Error).message}`)
  }
}
