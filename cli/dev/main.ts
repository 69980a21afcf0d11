/** Starts an application whose entry doesn't listen itself, as a deployment would. */
import cluster from 'node:cluster'
import { pathToFileURL } from 'node:url'
import { applicationOf } from '../../runtime/deployed/application.ts'
import type { Start } from '../../runtime/deployed/application.ts'
import { addressToListen } from '../../runtime/deployed/serve.ts'
import { loadFactory, type FactoryPackage } from './factory.ts'

/** The application to start, as JSON in `FRAMEWORK_DEV`. */
export interface Launch {
  /** Absolute path of the entry. */
  readonly file: string
  readonly start: Start
  /** The package that a plugin is registered with. */
  readonly server: FactoryPackage
}

const { file, start, server } = JSON.parse(process.env['FRAMEWORK_DEV'] as string) as Launch
const create = await loadFactory(server, file)
const entry = (await import(pathToFileURL(file).href)) as object
const { app } = await applicationOf(entry, start, create)
const address = await app.listen(addressToListen())
// For a cluster worker, the command prints the address.
if (cluster.isPrimary) process.stdout.write(`Listening at ${address}\n`)
