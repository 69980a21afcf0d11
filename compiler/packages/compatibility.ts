import { satisfies } from '../../runtime/boot/version-range.ts'

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
    const fits = asked.some((range) => range !== '' && satisfies(fastify, range, false))
    return fits && !satisfies(installed, versions, true) ? [versions] : []
  })
  return fitting.sort((a, b) => firstNumber(b) - firstNumber(a))[0]
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
