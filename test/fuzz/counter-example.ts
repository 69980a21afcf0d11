/** Counter-examples as files that show them when they are run. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { literal } from '../../compiler/4-emit/text/source.ts'
import { createComparison } from './case.ts'
import { profiles, type Profile } from './profiles.ts'
import { differenceWithoutCodegen, type Failure } from './round.ts'

/** For a report: the schema, the options and what differs. */
export function describeFailure({ profile, sample, message }: Failure): string {
  const { kind, schema, valueSeed } = sample
  const { name } = profiles[profile] as Profile
  return `${kind} of ${JSON.stringify(schema)}\nunder ${name}, values ${valueSeed}: ${message}`
}

/** Writes a module that compares the sample again; returns its path. */
export function writeCounterExample(failure: Failure, folder: string, name: string): string {
  const file = join(folder, `counter-example-${name}.mjs`)
  const module = new URL('counter-example.js', import.meta.url).href
  const comment = describeFailure(failure).replaceAll('*/', '* /')
  writeFileSync(
    file,
    `/* ${comment} */
import { replay } from ${literal(module)}

replay(${failure.profile}, ${literal(failure.sample)})
`,
  )
  return file
}

/** Prints the options and the emitted code; throws where the two sides differ. */
export function replay(profile: number, sample: Failure['sample']): void {
  const chosen = profiles[profile] as Profile
  console.log(inspect(chosen, { depth: 4 }))
  const compared = createComparison(chosen, sample.externals).compare(sample)
  console.log(compared?.emitted.code ?? 'Both refuse the schema.')
  const differing = compared && differenceWithoutCodegen([{ ...compared, sample }])
  if (differing) assert.fail(differing.message)
  console.log('No difference.')
}
