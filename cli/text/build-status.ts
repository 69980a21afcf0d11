/** Status lines of commands that build repeatedly. */
import path from 'node:path'
import type { BuildOptions } from '../../compiler/options.ts'
import type { WatchEvents } from '../watch/index.ts'
import type { Output } from '../output.ts'
import { problemsText, warningsText } from './problems.ts'

/** Prints a line to standard error. Standard output belongs to the application. */
export type PrintStatus = (style: 'green' | 'red', text: string) => void

export function createStatusPrinter({ quiet, paintError }: Output): PrintStatus {
  return (style, text) => {
    if (!quiet || style === 'red') console.error(`${paintError(style, 'framework')} ${text}`)
  }
}

/**
 * Prints the phases and results of builds.
 *
 * @param isRunning returns true while an earlier build of the application runs
 */
export function printBuilds(
  requested: BuildOptions,
  output: Output,
  printStatus: PrintStatus,
  isRunning: () => boolean = () => false,
): WatchEvents {
  const progress = output.progress()
  const paint = output.paintError
  let warned = ''
  return {
    onPhase: progress.show,
    onBuilt({ artifact, diagnostics, warnings, options }, changed, milliseconds) {
      progress.clear()
      const about = changed === undefined ? '' : `${path.relative(process.cwd(), changed)}: `
      if (artifact === undefined) {
        console.error(problemsText(diagnostics, options.root, requested, paint))
        const next = isRunning() ? 'the last good build keeps running' : 'waiting for a change'
        printStatus('red', `${about}not built; ${next}`)
        return
      }
      const warning = warningsText(warnings, paint)
      // Print repeated warnings only once.
      if (warning !== warned && warning !== '') console.error(warning)
      warned = warning
      const { unchanged, compiled, reused } = artifact.reuse
      const counts = unchanged ? 'no schema has changed' : `${compiled} compiled, ${reused} reused`
      printStatus('green', `${about}built in ${(milliseconds / 1000).toFixed(1)} s (${counts})`)
    },
    onError(error) {
      progress.clear()
      console.error(error)
      printStatus('red', 'the compiler has failed: please report it')
    },
  }
}
