/**
 * The child process of an engine: starts one application and serves its parent over IPC. What `framework` means here is
 * up to the flags that the process is started with.
 */
import { pathToFileURL } from 'node:url'
import { reportFailure, serveParent, type HostedInstance } from './app-process.ts'

/** The export of an application's entry: a factory function, a plugin, or the instance itself. */
export type EntryKind = 'factory' | 'plugin' | 'instance'

interface EntryModule {
  default?: unknown
  app?: unknown
}

try {
  const [, , file = '', kind] = process.argv
  const entry = (await import(pathToFileURL(file).href)) as EntryModule
  const instance = await instanceOf(entry, kind as EntryKind)
  await instance.listen({ port: 0, host: '127.0.0.1' })
  serveParent(instance)
} catch (error) {
  reportFailure(error)
}

async function instanceOf(entry: EntryModule, kind: EntryKind): Promise<HostedInstance> {
  switch (kind) {
    case 'factory':
      return (entry.default as () => HostedInstance)()
    case 'instance':
      return entry.app as HostedInstance
    case 'plugin': {
      const { default: framework } = (await import('framework')) as unknown as {
        default: () => HostedInstance & { register(plugin: unknown): void }
      }
      const instance = framework()
      instance.register(entry.default)
      return instance
    }
  }
}
