/** Reads the files of an artifact. */
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
  /** Bytes of a file, as they are: less than asked for at its end. */
  readPart(file: ArtifactFile, start: number, end: number): Buffer
  /** The same as `readChecked`, and keeps nothing. */
  check(file: ArtifactFile): void
  /** The name to show. */
  pathOf(file: string): string
}

/** Each fresh page of memory costs a start more than to read it full: files that are only checked share this much. */
const SCRATCH = 64 * 1024

/** @param url of a file in the folder */
export function openFolder(url: string): ArtifactFolder {
  let folder: string | undefined
  let scratch: Buffer | undefined
  return { read, readChecked, readPart, check, pathOf }

  function pathOf(file: string): string {
    folder ??= process.getBuiltinModule('node:url').fileURLToPath(new URL('.', url))
    return folder + file
  }

  function read(file: string): Buffer {
    try {
      return process.getBuiltinModule('node:fs').readFileSync(pathOf(file))
    } catch (error) {
      throw unreadable(file, error)
    }
  }

  function readChecked(entry: ArtifactFile): Buffer {
    const content = read(entry.file)
    if (content.length !== entry.size || checksumOf(content) !== entry.checksum)
      throw changed(entry)
    return content
  }

  function readPart({ file }: ArtifactFile, start: number, end: number): Buffer {
    const part = Buffer.allocUnsafe(end - start)
    const length = withOpen(file, (fill) => fill(part, start))
    return part.subarray(0, length)
  }

  function check(entry: ArtifactFile): void {
    const bytes = (scratch ??= Buffer.allocUnsafeSlow(SCRATCH))
    let size = 0
    let checksum = 0
    withOpen(entry.file, (fill) => {
      let length
      do {
        length = fill(bytes, null)
        size += length
        checksum = checksumOf(bytes.subarray(0, length), checksum)
      } while (length === SCRATCH)
    })
    if (size !== entry.size || checksum !== entry.checksum) throw changed(entry)
  }

  /** @param use fills memory from a position in the file, or from where it is; tells how much there was */
  function withOpen<T>(
    file: string,
    use: (fill: (bytes: Buffer, position: number | null) => number) => T,
  ): T {
    const { openSync, readSync, closeSync } = process.getBuiltinModule('node:fs')
    try {
      const fd = openSync(pathOf(file), 'r')
      try {
        return use((bytes, position) => readSync(fd, bytes, 0, bytes.length, position))
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      throw unreadable(file, error)
    }
  }

  function changed({ file }: ArtifactFile): DamagedArtifactError {
    return new DamagedArtifactError(pathOf(file), 'is not what the build wrote')
  }

  function unreadable(file: string, error: unknown): DamagedArtifactError {
    return new DamagedArtifactError(pathOf(file), `cannot be read: ${(error as Error).message}`)
  }
}
