/**
 * `npm run fuzz:standalone -- --schemas N --seed S`: holds emitted validators to the modules that `ajv/dist/standalone`
 * writes, with the same values, where strings cannot be evaluated: those of `fixtures/emit`, the JSON Schema Test Suite, and
 * N random ones. Then what standalone loses, and how much code both are.
 */
import { parseArgs } from 'node:util'
import { projectNames } from '../../support/engines.ts'
import { naturalOf } from '../arguments.ts'
import { measureBytes } from './bytes.ts'
import { showLosses } from './losses.ts'
import { holdToStandalone, type Totals } from './run.ts'
import { fixtureSources, randomSources, suiteSources } from './sources.ts'

const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
})
const count = naturalOf(values, 'schemas')
const seed = naturalOf(values, 'seed')

report('fixtures/emit', holdToStandalone(await fixtureSources()))
report('JSON Schema Test Suite', holdToStandalone(suiteSources()))
report(`${count} random ones, seed ${seed}`, holdToStandalone(randomSources(count, seed)))

console.log('\nWhat standalone loses:')
for (const { what, expected, standalone, emitted } of showLosses()) {
  console.log(
    `${what}\n  Ajv:        ${expected}\n  standalone: ${standalone}\n  emitted:    ${emitted}`,
  )
}

console.log('\nBytes of all validators of an application, minified (gzipped):')
for (const app of projectNames) {
  const { validators, lost, standalone, emitted } = await measureBytes(app)
  console.log(
    `${app}: ${validators} validators, ${lost} more that standalone has no code for; standalone ${standalone.minified} (${standalone.gzipped}), emitted ${emitted.minified} (${emitted.gzipped})`,
  )
}

function report(
  what: string,
  { schemas, values: given, refused, lost, differences }: Totals,
): void {
  console.log(
    `${what}: ${schemas} schemas with ${given} values, ${refused} refused by Ajv, ${differences.length} differences`,
  )
  for (const [message, times] of lost)
    console.log(`  ${times} that standalone does not write: ${message}`)
  for (const { name, input, standalone, emitted } of differences.slice(0, 10)) {
    console.log(`${name}\n  for ${input}\n  standalone: ${standalone}\n  emitted:    ${emitted}`)
  }
  if (differences.length > 0) process.exitCode = 1
}
