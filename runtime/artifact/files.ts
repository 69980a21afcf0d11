/** Reads and verifies the files of an artifact. */
import { nodeModule } from '../platform/index.ts'
import { digestOf } from './digest.ts'
import type { Digest } from './index.ts'

/** A file as the build wrote it. */
export interface ArtifactFile {
  /** Path relative to the artifact's folder. */
  readonly file: string
  /** Size in bytes. */
  readonly size: number
  /**
   * Digest of the content. It detects accidental damage, but doesn't protect against attackers: whoever can write the functions can
   * write their digests as well.
   */
  readonly digest: Digest
}

/** A file of the artifact can't be read, or differs from what the build wrote. */
export class DamagedArtifactError extends Error {
  readonly file: string
  constructor(file: string, reason: string) {
    super(`"${file}" ${reason}`)
    this.file = file
  }
}

/** A file of a deployment doesn't exist. Its name is that of its content, so other builds may have other files. */
export class OtherBuildError extends DamagedArtifactError {}

/** Access to the artifact's files. Functions that open a file throw a DamagedArtifactError if it can't be read. */
export interface ArtifactFolder {
  /** Reads a file without verifying it. */
  read(file: string): Buffer
  /** @throws DamagedArtifactError if the file was changed */
  readChecked(file: ArtifactFile): Buffer
  /**
   * Parses a verified file.
   *
   * @throws DamagedArtifactError if the file was changed or isn't JSON
   */
  readJson(file: ArtifactFile): unknown
  /**
   * Verifies files without keeping their contents.
   *
   * @throws DamagedArtifactError
   */
  check(files: readonly ArtifactFile[]): void
  /** Path for error messages. */
  pathOf(file: string): string
}

/** Size limit for files without a recorded size, in bytes. */
const MAX_FILE_SIZE = 256 * 1024 * 1024

/**
 * Opens a folder. The files of an artifact are verified by size and digest. Those of a deployment are named after their content, and
 * verified by size alone, so that a start need not read them.
 *
 * @param url of a file in the folder
 */
export function openFolder(url: string, isDeployed = false): ArtifactFolder {
  let folder: string | undefined
  return { read, readChecked, readJson, check, pathOf }

  function pathOf(file: string): string {
    folder ??= nodeModule('node:url').fileURLToPath(new URL('.', url))
    return folder + file
  }

  function read(file: string): Buffer {
    return withOpen(file, (fd, size) => {
      if (size > MAX_FILE_SIZE) throw new DamagedArtifactError(pathOf(file), `has ${size} bytes`)
      return nodeModule('node:fs').readFileSync(fd)
    })
  }

  function readChecked(entry: ArtifactFile): Buffer {
    const content = withOpen(entry.file, (fd, size) => {
      if (size !== entry.size) throw changed(entry)
      return nodeModule('node:fs').readFileSync(fd)
    })
    const isSame = isDeployed ? content.length === entry.size : digestOf(content) === entry.digest
    if (!isSame) throw changed(entry)
    return content
  }

  function readJson(entry: ArtifactFile): unknown {
    const text = String(readChecked(entry))
    try {
      return JSON.parse(text)
    } catch {
      throw changed(entry)
    }
  }

  function check(files: readonly ArtifactFile[]): void {
    // One buffer for all files: the system needs longer to provide new memory than to read and to hash.
    let buffer: Buffer | undefined
    for (const entry of files) {
      withOpen(entry.file, (fd, size) => {
        if (size !== entry.size) throw changed(entry)
        if (isDeployed) return
        if (buffer === undefined || buffer.length < size) buffer = Buffer.allocUnsafeSlow(size)
        const content = buffer.subarray(0, size)
        if (!fill(content, fd) || digestOf(content) !== entry.digest) throw changed(entry)
      })
    }
  }

  /** Returns false if the file ends before the buffer is full. */
  function fill(buffer: Buffer, fd: number): boolean {
    const { readSync } = nodeModule('node:fs')
    let done = 0
    while (done < buffer.length) {
      const count = readSync(fd, buffer, done, buffer.length - done, done)
      if (count === 0) return false
      done += count
    }
    return true
  }

  /** Opens regular files only: reading a pipe or a device may never end. */
  function withOpen<T>(file: string, use: (fd: number, size: number) => T): T {
    const { openSync, fstatSync, closeSync, constants } = nodeModule('node:fs')
    try {
      // Systems without this flag have no such files.
      const fd = openSync(pathOf(file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      try {
        const stats = fstatSync(fd)
        if (!stats.isFile()) throw new DamagedArtifactError(pathOf(file), "isn't a regular file")
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
    const path = pathOf(file)
    const { code, message } = error as NodeJS.ErrnoException
    if (isDeployed && code === 'ENOENT') return new OtherBuildError(path, 'does not exist')
    return new DamagedArtifactError(path, `cannot be read: ${message}`)
  }
}
