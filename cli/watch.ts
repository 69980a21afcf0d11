/** `framework build --watch`: builds again whenever a file changes. */
import { once } from 'node:events'
import type { BuildOptions } from '../compiler/options.ts'
import { watch } from './watch/index.ts'
import type { Output } from './output.ts'
import { PARENT_ENDED, whenParentEnds } from './parent-process.ts'
import { createStatusPrinter, printBuilds } from './text/build-status.ts'

/** Resolves when the user quits, or the package manager that started it has ended. */
export async function watchBuild(options: BuildOptions, output: Output): Promise<void> {
  const printStatus = createStatusPrinter(output)
  const watching = await watch(options, printBuilds(options, output, printStatus))
  const abandoned = new Promise<void>((resolve) => {
    whenParentEnds(() => {
      printStatus('red', PARENT_ENDED)
      resolve()
    })
  })
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), abandoned])
  await watching.close()
}
