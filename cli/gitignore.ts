/** Adds folders of deployments to `.gitignore`. */
import { basename, dirname, relative } from 'node:path'
import type { Deployment } from '../compiler/deploy/index.ts'
import type { Diagnostic } from '../compiler/model/index.ts'

interface Addition {
  /** Text for the report, if a line was added. */
  readonly text: string | undefined
  /** Set if `.gitignore` couldn't be changed. */
  readonly warnings: readonly Diagnostic[]
}

/** Adds the folder around a deployment to `.gitignore` if its name is `ignored`, as the platform's own tools do. */
export async function addToGitignore(
  { out }: Pick<Deployment, 'out'>,
  ignored: string | undefined,
): Promise<Addition> {
  const parent = dirname(out)
  const none: Addition = { text: undefined, warnings: [] }
  if (ignored === undefined || basename(parent) !== ignored) return none
  const [{ ignoreFor }, { applyChanges }] = await Promise.all([
    import('./init/gitignore.ts'),
    import('./init/index.ts'),
  ])
  const folder = dirname(parent)
  const [file] = ignoreFor(folder, ignored)
  if (file === undefined) return none
  const problem = applyChanges({ folder, files: [file] })
  if (problem !== undefined) return { ...none, warnings: [{ ...problem, isWarning: true }] }
  const place = relative(process.cwd(), folder)
  return { ...none, text: `Added ${ignored} to ${place === '' ? '' : `${place}/`}${file.file}` }
}
