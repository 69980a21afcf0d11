import { basename, dirname, relative } from 'node:path'
import type { Deployment } from '../compiler/deploy/index.ts'
import type { Diagnostic } from '../compiler/model/index.ts'

/** What has become of a `.gitignore`. */
interface Kept {
  /** What was added to it, and to which. */
  readonly said: string | undefined
  /** Why it could not be changed. */
  readonly warnings: readonly Diagnostic[]
}

/** Has Git ignore the folder around a deployment that the tools of its platform have it ignore. */
export async function keepOutOfGit(
  { out }: Pick<Deployment, 'out'>,
  ignored: string | undefined,
): Promise<Kept> {
  const around = dirname(out)
  const none: Kept = { said: undefined, warnings: [] }
  if (ignored === undefined || basename(around) !== ignored) return none
  const [{ ignoreFor }, { carryOut }] = await Promise.all([
    import('../compiler/init/gitignore.ts'),
    import('../compiler/init/index.ts'),
  ])
  const folder = dirname(around)
  const [file] = ignoreFor(folder, ignored)
  if (file === undefined) return none
  const problem = carryOut({ folder, files: [file] })
  if (problem !== undefined) return { ...none, warnings: [{ ...problem, isWarning: true }] }
  const place = relative(process.cwd(), folder)
  return { ...none, said: `Added ${ignored} to ${place === '' ? '' : `${place}/`}${file.file}` }
}
