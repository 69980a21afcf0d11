import type { Route } from '../../compiler/artifact/schemas.ts'
import type { Paint, Style } from '../terminal.ts'
import { partsText } from './report.ts'

const GAP = '  '

interface Column {
  textOf(route: Route): string
  readonly style?: Style
  /** Minimum width on a narrow terminal. */
  readonly least: number
  /** The end of the text that carries more information. */
  readonly keeps?: 'start'
}

/** In display order. */
const columns = {
  method: { textOf: ({ method }) => method, style: 'bold', least: Infinity },
  url: { textOf: ({ url, constraints }) => `${url}${constraintsText(constraints)}`, least: 16 },
  parts: { textOf: partsText, least: 4, keeps: 'start' },
  context: { textOf: ({ context }) => context, style: 'dim', least: 8 },
  at: { textOf: ({ at }) => at, style: 'cyan', least: 12 },
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
  const widths = new Map(
    names.map((name) => [
      name,
      Math.max(0, ...routes.map((route) => columns[name].textOf(route).length)),
    ]),
  )
  for (const name of width === undefined ? [] : cutFirst) {
    const all = [...widths.values()].reduce((sum, one) => sum + one + GAP.length, -GAP.length)
    // On even narrower terminals lines wrap.
    const own = widths.get(name) ?? 0
    const least = Math.min(own, columns[name].least)
    widths.set(name, Math.max(least, own - Math.max(0, all - (width ?? 0))))
  }
  return routes
    .map((route) =>
      names
        .map((name) => cellOf(route, name))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')

  function cellOf(route: Route, name: Name): string {
    const { textOf, style, keeps }: Column = columns[name]
    const room = widths.get(name) ?? 0
    const text = cut(textOf(route), room, keeps)
    const cell =
      name === 'at' ? text : text.padEnd(width === undefined ? Math.min(room, MOST) : room)
    return style === undefined ? cell : paint(style, cell)
  }
}

function constraintsText(constraints: Route['constraints'] = {}): string {
  return Object.entries(constraints)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('')
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
