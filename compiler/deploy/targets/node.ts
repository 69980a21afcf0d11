import { OWN } from '../resolution.ts'
import type { Platform } from './platform.ts'

/** A process of its own. */
export const node: Platform = {
  conditions: ['node'],
  format: undefined,
  prelude: ({ place }) => `
// An entry may ask whether it is what the process was started with.
process.argv[1] = __deployedAt(${JSON.stringify(place)})
`,
  main({ file, start }) {
    const from = JSON.stringify(file)
    if (start.kind === 'itself') return `import ${from}\n`
    return `import framework from 'framework'
import { applicationOf, serve } from '${OWN}runtime'
import * as entry from ${from}
applicationOf(entry, ${JSON.stringify(start)}, framework).then(({ app }) => serve(app))
`
  },
  start: (out) => `node ${out}`,
}
