/** Finds how an entry starts its application without running any code of the project. */
import type { ApplicationStart } from '../../compiler/model/index.ts'
import { scan } from '../../compiler/1-scan/index.ts'
import type { Sandbox } from '../../compiler/1-scan/evaluation/client.ts'

const noSandbox: Sandbox = {
  process: {
    start: () => undefined,
    run: ({ roots }) => ({
      outcomes: roots.map(() => ({ type: 'failed', why: 'nothing of the project is run' })),
    }),
    close: () => undefined,
  },
  onSlow: () => undefined,
}

/** Returns `undefined` if the source doesn't show it. A build reports why. */
export async function findStart(
  entry: string,
  root: string,
): Promise<ApplicationStart | undefined> {
  const ignore = (): void => undefined
  const graph = await scan({ entry, root, out: '' }, ignore, { sandbox: noSandbox })
  return graph?.start
}
