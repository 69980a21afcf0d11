/** Published applications that use @fastify/swagger, as they are at a commit, with what they need to boot without their services. */

export interface Application {
  /** Of its repository. */
  readonly name: string
  readonly commit: string
  /** What makes the application; the command reads it. */
  readonly entry: string
  /** The export of the entry that makes the instance; without, loading the entry does. */
  readonly factory?: string
  /** What is booted instead of the entry, where the source has to be compiled for that. */
  readonly compiled?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Called before the application is loaded: stands in for a service. @param load requires what the application has installed */
  readonly prepare?: (load: (name: string) => unknown) => void
  /** What the command says that it does not know. */
  readonly unknown?: readonly string[]
  /** The ways to what differs, joined by spaces. */
  readonly differences?: readonly string[]
}

type Expected = Pick<Application, 'unknown' | 'differences'>

/** A package asks Git for the version when the application is loaded. @param at where the plugin is registered */
function versionOfGit(at: string): Expected {
  const option = 'openapi.info.version'
  return {
    unknown: [`the option \`${option}\` of @fastify/swagger at ${at}`],
    differences: ['info version'],
  }
}

export const applications: readonly Application[] = [
  {
    name: 'supabase/postgres-meta',
    commit: '641831e0555d8f9eab278014956ec2cf1ee1174d',
    entry: 'src/server/app.ts',
    factory: 'build',
    // It exports types as values.
    compiled: 'dist/server/app.js',
  },
  {
    name: 'hirosystems/ordinals-api',
    commit: '939286e3a036063835206c533ce7f9a66cee0ba7',
    entry: 'util/openapi-generator.ts',
    ...versionOfGit('util/openapi-generator.ts:17:9'),
  },
  {
    name: 'hirosystems/token-metadata-api',
    commit: 'd04012f9187a8885bab5046bb626010f681f57fb',
    entry: 'util/openapi-generator.ts',
    ...versionOfGit('util/openapi-generator.ts:17:9'),
  },
  {
    name: 'washington-shoji/fastify-api-server-template',
    commit: '4f879ca7fa1af9a7232e005802d7156763bfcaba',
    entry: 'src/server.ts',
    factory: 'buildServer',
    environment: {
      DATABASE_URL: 'postgres://localhost/none',
      JWT_ACCESS_SECRET: 'a'.repeat(32),
      JWT_REFRESH_SECRET: 'b'.repeat(32),
    },
    prepare: (load) => {
      const { Pool } = load('pg') as { Pool: { prototype: object } }
      Object.assign(Pool.prototype, { query: () => Promise.resolve({ rows: [] }) })
    },
  },
  {
    name: 'hirosystems/signer-metrics-api',
    commit: 'da91647a657fc97154ad386fbdb24ce27652114b',
    entry: 'util/openapi-generator.ts',
    ...versionOfGit('util/openapi-generator.ts:29:9'),
  },
]
