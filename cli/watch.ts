/** `framework build --watch`: builds again whenever a file changes. */
import { once } from 'node:events'
import type { BuildOptions } from '../compiler/options.ts'
import { watch } from '../compiler/watch/index.ts'
import type { Output } from './output.ts'
import { PARENT_ENDED, whenParentEnds } from './parent-process.ts'
import { createStatusPrinter, createBuildReporter } from './text/build-status.ts'

/** Resolves when the user quits. */
export async function watchBuild(options: BuildOptions, output: Output): Promise<void> {
  const progress = output.progress()
  const printStatus = createStatusPrinter(output)
  const reportBuild = createBuildReporter(options, output, printStatus)
  const watching = await watch(options, {
    onPhase: progress.show,
    onBuilt: (...build) => {
      progress.clear()
      reportBuild(...build)
    },
    onError: (error) => {
      progress.clear()
      console.error(error)
      printStatus('red', 'the compiler has failed: please report it')
    },
  })
  const abandoned = new Promise<void>((resolve) => {
    whenParentEnds(() => {
      printStatus('red', PARENT_ENDED)
      resolve()
    })
  })
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), abandoned])
  await watching.close()
}
