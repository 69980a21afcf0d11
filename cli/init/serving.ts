/** Decides what is to serve an application. */
import type { LineName } from '../../runtime/artifact/lines.ts'
import type { Server } from '../../compiler/servers/detect.ts'
import type { ProjectInfo } from './project-info.ts'

export interface Serving {
  /** The server that the artifact is for. */
  readonly line: LineName
  /** True if this package serves, false if Fastify does. */
  readonly isOurs: boolean
  /** True if this package serves in place of the Fastify that the application imports, by a preload instead of an alias. */
  readonly isReplaced: boolean
}

/**
 * Without a choice, the start script decides whether an application stays on Fastify 5.
 *
 * @param chosen the target; `framework` lets this package serve an application for Fastify 5
 * @param server what the application imports
 * @param isReplaced whether the start script preloads what replaces that
 * @returns undefined for an unsupported release of Fastify
 */
export function servingOf(
  chosen: LineName | undefined,
  server: Server | undefined,
  isReplaced: boolean,
): Serving | undefined {
  const isOn5 = server?.line === 'fastify@5'
  const mayReplace = chosen === undefined || chosen === 'framework'
  const line = chosen === undefined || (chosen === 'framework' && isOn5) ? lineFor(server) : chosen
  if (line === undefined) return undefined
  const isImported = server?.name.startsWith('framework') === true
  const isReplacing = mayReplace && (isReplaced || (isOn5 && chosen === 'framework'))
  const isOurs = line === 'framework' || isImported || isReplacing
  return {
    line,
    isOurs,
    isReplaced: isReplacing && !isImported && (isReplaced || hasCheapPreload()),
  }
}

/** Before Node 22.15, `framework/fastify` starts a thread that resolves each import. With many modules, that takes longer than Fastify's own start. */
function hasCheapPreload(): boolean {
  return 'registerHooks' in process.getBuiltinModule('node:module')
}

/** Fastify 4 can be replaced, because this package has its interface. */
function lineFor(server: Server | undefined): LineName | undefined {
  if (server === undefined || server.isMissing === true) return 'framework'
  return server.line === 'fastify@4' ? 'framework' : server.line
}

/** Describes what the application runs on, if that differs from the chosen target. */
export function targetConflict(
  line: LineName,
  { fastify, alias }: ProjectInfo,
  server: Server | undefined,
): string | undefined {
  const installed = server === undefined ? fastify?.line : server.line
  if (line === 'framework' || installed === line) return undefined
  if (alias !== undefined) return `has ${alias} in place of Fastify`
  if (server?.name.startsWith('framework')) return `runs on ${server.name}`
  return fastify === undefined ? 'depends on no Fastify' : `depends on Fastify ${fastify.version}`
}

/**
 * Returns the modules that Node loads first, as values of `--import`.
 *
 * @param replacesOthers whether `fastify` is replaced for modules other than the entry
 */
export function preloadsFor({ isOurs, isReplaced }: Serving, replacesOthers: boolean): string {
  if (!isOurs) return './.framework/fastify.mjs'
  return isReplaced || replacesOthers
    ? 'framework/fastify --import ./.framework/register.js'
    : './.framework/register.js'
}
