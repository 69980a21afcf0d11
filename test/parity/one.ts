/**
 * Sends one request of the grid to the oracle and to another engine, and prints what differs; without a title all of
 * them. A request of a conversation needs those before it: ask for all.
 *
 *     node dist/test/parity/one.js <engine> <app> ['<title>']
 */
import { engines } from '../support/engines.ts'
import { report, runGrid } from './grid.ts'

const [engineName = '', appName = '', title] = process.argv.slice(2)
const engine = engines.find(({ name }) => name === engineName)
if (engine === undefined) throw new Error(`There is no engine ${JSON.stringify(engineName)}`)

const { exchanges, differences } = await runGrid(engine, appName, title)
if (title === undefined) console.log(`${exchanges.length} requests`)
else for (const exchange of exchanges) console.log(exchange)
if (exchanges.length === 0)
  throw new Error(`${appName} has no request titled ${JSON.stringify(title)}`)
console.log(differences.length === 0 ? 'No difference.' : report(engine, appName, differences))
