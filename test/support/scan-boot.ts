/**
 * Boots one application on the real Fastify and prints what it declares, as JSON:
 * `node scan-boot.js <entry> [plugin | factory <name> | class <name>]`. Nothing listens, and no request is sent.
 */
import { bootApplication } from './scan-application.ts'
import { record } from './scan-recording.ts'

const [, , entry = '', mode, name] = process.argv

const recording = record()
const app = await bootApplication(entry, mode, recording, name)
await app.ready()
process.stdout.write(JSON.stringify(recording.contextOf(app)), () => process.exit(0))
