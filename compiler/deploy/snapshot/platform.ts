import type { Shape } from '../../../runtime/deployed/snapshot/deferred.ts'
import { OWN } from '../own.ts'
import { inSnapshot } from '../targets/environment.ts'
import { node } from '../targets/node.ts'
import type { EntryModule, Platform } from '../targets/platform.ts'

export interface SnapshotProgram {
  readonly id: string
  /** Where the deployment will lie. */
  readonly out: string
  /** The files beside it that are loaded when they are needed. */
  readonly late: readonly string[]
  readonly shapes: Readonly<Record<string, Shape>>
}

/**
 * A process that becomes a snapshot: one file of CommonJS, which is all that Node can take one of. What requests may never need
 * stays in the files of the deployment: Node reads all of a snapshot before it starts.
 */
export function snapshotPlatform({ id, out, late, shapes }: SnapshotProgram): Platform {
  return {
    ...node,
    format: 'cjs',
    apart: 'late-files',
    isOneFile: true,
    environment: inSnapshot('globalThis[Symbol.for("framework.snapshot.folder")]'),
    prelude: ({ place }) =>
      // Runs before the modules of the application, which the main module imports after this one.
      `import { beginSnapshot } from '${OWN}snapshot'
export const started = beginSnapshot(${JSON.stringify({ id, out, place, late })}, ${JSON.stringify(JSON.stringify(shapes))})
`,
    main: (entry) => main(entry),
  }
}

function main({ file, start }: EntryModule): string {
  const from = JSON.stringify(file)
  if (start.kind === 'itself') return `import ${from}\n`
  return `import framework from 'framework'
import { started } from '${OWN}prelude'
import { applicationOf, serve } from '${OWN}runtime'
import * as entry from ${from}
applicationOf(entry, ${JSON.stringify(start)}, framework).then(async ({ app }) => {
  await app.ready()
  await started
  await serve(app)
})
`
}
