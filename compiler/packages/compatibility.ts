import { satisfies } from '../../runtime/boot/version-range.ts'

/**
 * The plugins of the table in docs/plugins.md: their own tests pass here in these versions, which `npm run conformance:plugins`
 * installs. READMEs are no such source: many say nothing of later versions that are for Fastify 4 as well.
 */
export const testedPlugins: Readonly<Record<string, string>> = {
  '@fastify/auth': '4.6.1',
  '@fastify/autoload': '5.10.0',
  '@fastify/basic-auth': '5.1.1',
  '@fastify/bearer-auth': '9.4.0',
  '@fastify/compress': '7.0.3',
  '@fastify/cookie': '9.4.0',
  '@fastify/cors': '9.0.1',
  '@fastify/csrf-protection': '6.4.1',
  '@fastify/formbody': '7.4.0',
  '@fastify/helmet': '11.1.1',
  '@fastify/jwt': '8.0.1',
  '@fastify/middie': '8.3.3',
  '@fastify/multipart': '8.3.1',
  '@fastify/rate-limit': '9.1.0',
  '@fastify/sensible': '5.6.0',
  '@fastify/static': '7.0.4',
  '@fastify/swagger': '8.15.0',
  '@fastify/swagger-ui': '4.2.0',
  '@fastify/websocket': '10.0.1',
}

/**
 * The newest versions of a plugin that a README's table names for a version of Fastify, as a range.
 *
 * @param installed does not fit, whatever the table says
 */
export function newestFitting(
  readme: string,
  fastify: string,
  installed: string,
): string | undefined {
  const rows = readme.split('\n').map(cellsOf)
  const head = rows.findIndex(
    (cells) => columnOf('plugin', cells) >= 0 && columnOf('fastify', cells) >= 0,
  )
  if (head < 0) return undefined
  const names = rows[head] as readonly string[]
  const body = rows.slice(head + 1)
  const end = body.findIndex((cells) => cells.length === 0)
  const fitting = body.slice(0, end < 0 ? undefined : end).flatMap((cells) => {
    const versions = cells[columnOf('plugin', names)] ?? ''
    const asked = (cells[columnOf('fastify', names)] ?? '').split(/\s*(?:,|\band\b|\bor\b)\s*/)
    const fits = asked.some((range) => range !== '' && satisfies(fastify, range))
    return fits && !satisfies(withoutPrerelease(installed), versions) ? [versions] : []
  })
  return fitting.sort((a, b) => firstNumber(b) - firstNumber(a))[0]
}

/** Tables name ranges such as `3.x`, which include the prereleases of 3.0.0. */
function withoutPrerelease(version: string): string {
  return version.replace(/-.*/, '')
}

function cellsOf(line: string): readonly string[] {
  const cells = line.split('|').map((cell) => cell.replaceAll('`', '').trim())
  return cells.length > 2 ? cells.slice(1, -1) : []
}

function columnOf(what: 'plugin' | 'fastify', cells: readonly string[]): number {
  return cells.findIndex((cell) => cell.toLowerCase() === `${what} version`)
}

function firstNumber(range: string): number {
  return Number(/\d+/.exec(range)?.[0] ?? 0)
}
