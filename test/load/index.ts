/**
 * `npm run test:load [-- --seconds 60 --connections 200 --closes 10]`
 *
 * Puts a server under mixed load: valid, invalid, aborted, slow and oversized requests over many connections. It
 * must not crash or leak, no request may get the answer to another one, and `close` must answer what was accepted.
 */
import { parseArgs } from 'node:util'
import { closeUnderLoad } from './close.ts'
import { buildArtifact } from './server.ts'
import { sustainLoad } from './sustain.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '200' },
    closes: { type: 'string', default: '10' },
  },
})
const connections = Number(values.connections)

buildArtifact()
const faults = await sustainLoad(Number(values.seconds), connections)
for (let round = 0; round < Number(values.closes); round++) {
  faults.push(...(await closeUnderLoad(connections, round)))
}
faults.slice(0, 20).forEach((fault) => console.error(fault))
console.log(faults.length === 0 ? 'No faults.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1
