/** Starts an application whose entry does not listen itself, where a deployment would. */
import cluster from 'node:cluster'
import { pathToFileURL } from 'node:url'
import { applicationOf } from '../../runtime/deployed/application.ts'
import type { Start } from '../../runtime/deployed/application.ts'
import { placeToListen } from '../../runtime/deployed/serve.ts'

/** What the environment variable `FRAMEWORK_DEV` holds, as JSON. */
export interface Started {
  /** The entry. Absolute. */
  readonly file: string
  readonly start: Start
}

const { file, start } = JSON.parse(process.env['FRAMEWORK_DEV'] as string) as Started
// By its name: the one copy that the application and the artifact have, too.
const { default: create } = (await import(import.meta.resolve('framework'))) as {
  default: () => unknown
}
const entry = (await import(pathToFileURL(file).href)) as object
const { app } = await applicationOf(entry, start, create)
const address = await app.listen(placeToListen())
// A worker of a cluster is heard by the command, which says it.
if (cluster.isPrimary) process.stdout.write(`Listening at ${address}\n`)
