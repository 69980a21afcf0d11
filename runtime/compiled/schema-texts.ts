import type { ArtifactFile } from '../artifact/files.ts'
import { DamagedArtifactError, openFolder } from '../artifact/files.ts'

/** The schemas behind lazy schemas, as JSON. */
export interface SchemaTexts {
  /** Returns a new value on each call. */
  read(nth: number): Record<PropertyKey, unknown>
  /** @throws DamagedArtifactError if their file has another size than the build wrote, OtherBuildError if it is missing */
  check(): void
}

/**
 * Reads a file with one schema per line, on first use.
 *
 * @param url of a file in the same folder
 */
export function schemasIn(url: string, file: ArtifactFile): SchemaTexts {
  const folder = openFolder(url, true)
  let lines: readonly string[] | undefined
  return {
    read(nth) {
      lines ??= String(folder.readChecked(file)).split('\n')
      try {
        return JSON.parse(lines[nth] as string) as Record<PropertyKey, unknown>
      } catch {
        throw new DamagedArtifactError(folder.pathOf(file.file), 'is not what the build wrote')
      }
    },
    check: () => folder.check([file]),
  }
}

/** For platforms without files: reads a text with one schema per line, on first use. */
export function schemasOf(text: () => string): SchemaTexts {
  let lines: readonly string[] | undefined
  return {
    read: (nth) =>
      JSON.parse((lines ??= text().split('\n'))[nth] as string) as Record<PropertyKey, unknown>,
    check: () => undefined,
  }
}
