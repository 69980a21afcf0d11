import type { ArtifactFile } from '../artifact/files/index.ts'
import { DamagedArtifactError, openFolder } from '../artifact/files/index.ts'

/** The schemas that handles stand for, as JSON. */
export interface SchemaTexts {
  /** A new value for each call. */
  read(nth: number): Record<PropertyKey, unknown>
  /** Throws a DamagedArtifactError when they are not what the build wrote. */
  check(): void
}

/**
 * Reads a file with a schema in each line, when the first one is asked for.
 *
 * @param url of a file in the same folder
 * @param build the id of the deployment
 */
export function schemasIn(url: string, file: ArtifactFile, build: string): SchemaTexts {
  const folder = openFolder(url, build)
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
    check: () => folder.check(file),
  }
}

/** For platforms without files: a schema in each line of a text, which is asked for with the first one. */
export function schemasOf(text: () => string): SchemaTexts {
  let lines: readonly string[] | undefined
  return {
    read: (nth) =>
      JSON.parse((lines ??= text().split('\n'))[nth] as string) as Record<PropertyKey, unknown>,
    check: () => undefined,
  }
}
