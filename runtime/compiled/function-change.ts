import type { Artifact, TakeOption } from '../artifact/index.ts'
import type { UnitFactory } from '../artifact/units.ts'

/**
 * Names the first function that schemas were compiled with and that does something else in the running application, or the compiled
 * file that is older than its source.
 *
 * @throws DamagedArtifactError
 */
export function changeOf(
  artifacts: readonly Artifact[],
  units: UnitFactory,
  take: TakeOption,
): string | undefined {
  const [options = ''] = units.settings()
  const change = artifacts.map((artifact) => artifact.changeOf(options, take)).find(Boolean)
  return change && (artifacts.map((artifact) => artifact.outdated()).find(Boolean) ?? change)
}
