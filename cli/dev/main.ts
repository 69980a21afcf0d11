/** Starts an application whose entry does not listen itself, as a deployment does. */
import { pathToFileURL } from 'node:url'
import { applicationOf } from '../../runtime/deployed/application.ts'
import type { Start } from '../../runtime/deployed/application.ts'
import { serve } from '../../runtime/deployed/serve.ts'

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
await serve(app)
