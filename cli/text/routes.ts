import type { Route } from '../../compiler/artifact/schemas.ts'
import type { Paint } from '../terminal.ts'
import { partsText } from './report.ts'

const GAP = '  '

/** How to shorten a text that is longer than its column. */
interface Column {
  /** Minimum width. */
  readonly least: number
  /** Which end of the text carries more information. */
  readonly keeps: 'start' | 'end'
}

/** Columns after the method, in display order. `cutFirst` says which are shortened first. */
const columns = {
  url: { least: 16, keeps: 'end' },
  parts: { least: 4, keeps: 'start' },
  context: { least: 8, keeps: 'end' },
  at: { least: 12, keeps: 'end' },
} as const satisfies Record<string, Column>

type Name = keyof typeof columns

const names = Object.keys(columns) as readonly Name[]
const cutFirst: readonly Name[] = ['context', 'parts', 'url', 'at']

/**
 * Maximum column width if lines aren't fitted to a terminal: otherwise one route with many parts would push
 * the rest of all others far to the right.
 */
const MOST = 40

/**
 * Prints one line per route.
 *
 * @param width maximum length of a line; undefined for no limit
 */
export function routesText(
  routes: readonly Route[],
  paint: Paint,
  width: number | undefined,
): string {
  const rows = routes.map((route) => ({
    method: route.method,
    url: `${route.url}${constraintsText(route)}`,
    parts: partsText(route),
    context: route.context,
    at: route.at,
  }))
  const widest = (name: 'method' | Name): number =>
    Math.max(0, ...rows.map((row) => row[name].length))
  const method = widest('method')
  const widths = fitted(
    { url: widest('url'), parts: widest('parts'), context: widest('context'), at: widest('at') },
    width === undefined ? Infinity : width - method - names.length * GAP.length,
  )
  const cell = (row: (typeof rows)[number], name: Name): string => {
    const text = cut(row[name], widths[name], columns[name].keeps)
    return text.padEnd(width === undefined ? Math.min(widths[name], MOST) : widths[name])
  }
  return rows
    .map((row) =>
      [
        paint('bold', row.method.padEnd(method)),
        cell(row, 'url'),
        cell(row, 'parts'),
        paint('dim', cell(row, 'context')),
        paint('cyan', cell(row, 'at').trimEnd()),
      ].join(GAP),
    )
    .join('\n')
}

function constraintsText({ constraints = {} }: Route): string {
  return Object.entries(constraints)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('')
}

/** Shrinks one column after the other until the row fits. On even narrower terminals lines wrap. */
function fitted(widths: Record<Name, number>, room: number): Record<Name, number> {
  const result = { ...widths }
  for (const name of cutFirst) {
    const over = names.reduce((sum, one) => sum + result[one], 0) - room
    if (over > 0)
      result[name] = Math.max(Math.min(result[name], columns[name].least), result[name] - over)
  }
  return result
}

function cut(text: string, width: number, keeps: Column['keeps']): string {
  if (text.length <= width) return text
  return keeps === 'start' ? `${text.slice(0, width - 1)}…` : `…${text.slice(1 - width)}`
}

/**
 * Explains why some routes are listed twice, with and without a trailing slash. Returns `''` if there are
 * none.
 */
export function slashText(routes: readonly Route[]): string {
  const places = new Set(routes.map(({ method, url, at }) => `${method} ${url} ${at}`))
  const pair = routes.find(
    ({ method, url, at }) =>
      url.length > 1 && url.endsWith('/') && places.has(`${method} ${url.slice(0, -1)} ${at}`),
  )
  if (pair === undefined) return ''
  return `
${pair.url.slice(0, -1)} and ${pair.url} are one declaration: "/" in a plugin with a prefix answers both, unless its \`prefixTrailingSlash\` says which.`
}
