/** Starts an application whose entry doesn't listen itself, as a deployment would. */
import cluster from 'node:cluster'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { applicationOf } from '../../runtime/deployed/application.ts'
import type { Start } from '../../runtime/deployed/application.ts'
import { addressToListen } from '../../runtime/deployed/serve.ts'

/** The application to start, as JSON in `FRAMEWORK_DEV`. */
export interface Launch {
  /** Absolute path of the entry. */
  readonly file: string
  readonly start: Start
  /** The package that a plugin is registered with. */
  readonly server: 'framework' | 'framework/5' | 'fastify'
}

const { file, start, server } = JSON.parse(process.env['FRAMEWORK_DEV'] as string) as Launch
// Resolve by name, to get the same copy as the application and the artifact.
const from =
  server === 'fastify'
    ? pathToFileURL(createRequire(file).resolve(server)).href
    : import.meta.resolve(server)
const { default: create } = (await import(from)) as {
  default: (options?: unknown) => unknown
}
const entry = (await import(pathToFileURL(file).href)) as object
const { app } = await applicationOf(entry, start, create)
const address = await app.listen(addressToListen())
// For a cluster worker, the command prints the address.
if (cluster.isPrimary) process.stdout.write(`Listening at ${address}\n`)
