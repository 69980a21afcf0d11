/** What is said of builds that follow each other. */
import path from 'node:path'
import type { BuildResult } from '../../compiler/build.ts'
import type { BuildOptions } from '../../compiler/options.ts'
import type { Output } from '../output.ts'
import { problemsText, warningsText } from './report.ts'

/** Says something in a line of its own, on standard error: standard output is the application's. */
export type Say = (style: 'green' | 'red', text: string) => void

export function createSpeaker({ quiet, paintError }: Output): Say {
  return (style, text) => {
    if (!quiet || style === 'red') console.error(`${paintError(style, 'framework')} ${text}`)
  }
}

/** Tells what came of a build. @param milliseconds from the change to its end */
export type Tell = (result: BuildResult, changed: string | undefined, milliseconds: number) => void

export function createTeller(asked: BuildOptions, { paintError: paint }: Output, say: Say): Tell {
  let hasBuilt = false
  let warned = ''
  return ({ artifact, diagnostics, warnings, options }, changed, milliseconds) => {
    const about = changed === undefined ? '' : `${path.relative(process.cwd(), changed)}: `
    if (artifact === undefined) {
      console.error(problemsText(diagnostics, options.root, asked, paint))
      const next = hasBuilt ? 'the last good build goes on' : 'waiting for a change'
      say('red', `${about}not built; ${next}`)
      return
    }
    hasBuilt = true
    const warning = warningsText(warnings, paint)
    // Once is enough.
    if (warning !== warned && warning !== '') console.error(warning)
    warned = warning
    const { unchanged, compiled, reused } = artifact.reuse
    const counts = unchanged ? 'no schema has changed' : `${compiled} compiled, ${reused} reused`
    say('green', `${about}built in ${(milliseconds / 1000).toFixed(1)} s (${counts})`)
  }
}
