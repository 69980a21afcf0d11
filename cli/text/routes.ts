import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import type { Manifest } from '../../compiler/index.ts'
import { hookName, hooksOf } from '../../compiler/5-artifact/read/hooks.ts'
import type { Paint, Style } from '../terminal.ts'
import { partsText } from './build-report.ts'

const GAP = '  '

interface Column {
  textOf(route: Route): string
  readonly style?: Style
  /** Minimum width on a narrow terminal, if the column may be cut. */
  readonly least?: number
  /** 'start': long texts are cut at their end. By default they are cut at their start. */
  readonly keeps?: 'start'
}

/** In display order. */
const allColumns = {
  method: { textOf: ({ method }) => method, style: 'bold' },
  url: { textOf: ({ url, constraints }) => `${url}${constraintsText(constraints)}`, least: 16 },
  parts: { textOf: partsText, least: 4, keeps: 'start' },
  context: { textOf: ({ context }) => context, style: 'dim', least: 8 },
  at: { textOf: ({ at }) => at, style: 'cyan', least: 12 },
} as const satisfies Record<string, Column>

type Name = keyof typeof allColumns

const names = Object.keys(allColumns) as readonly Name[]
/** In the order in which columns are made narrower. */
const cutFirst = ['context', 'parts', 'url', 'at'] as const

/** Maximum width that cells are padded to if lines aren't cut. Otherwise one long cell would push the rest of all lines to the right. */
const MAX_PADDING = 40

/**
 * Formats one line per route.
 *
 * @param width maximum length of a line; undefined for no limit
 * @param detailsOf the text that is shown instead of the parts
 */
export function routesText(
  routes: readonly Route[],
  paint: Paint,
  width: number | undefined,
  detailsOf: (route: Route) => string = partsText,
): string {
  const columns = { ...allColumns, parts: { ...allColumns.parts, textOf: detailsOf } }
  const widths = new Map(
    names.map((name) => [
      name,
      Math.max(0, ...routes.map((route) => columns[name].textOf(route).length)),
    ]),
  )
  if (width !== undefined) {
    for (const name of cutFirst) {
      const total = [...widths.values()].reduce((sum, one) => sum + one + GAP.length, -GAP.length)
      const wanted = widths.get(name) ?? 0
      // On terminals narrower than all minima, lines wrap.
      const least = Math.min(wanted, columns[name].least)
      widths.set(name, Math.max(least, wanted - Math.max(0, total - width)))
    }
  }
  return routes.map((route) => names.map((name) => cellOf(route, name)).join(GAP)).join('\n')

  function cellOf(route: Route, name: Name): string {
    const { textOf, style, keeps }: Column = columns[name]
    const columnWidth = widths.get(name) ?? 0
    const text = cut(textOf(route), columnWidth, keeps)
    const padding = width === undefined ? Math.min(columnWidth, MAX_PADDING) : columnWidth
    const cell = name === 'at' ? text : text.padEnd(padding)
    return style === undefined ? cell : paint(style, cell)
  }
}

/** Lists the hooks of a route in the order in which they run: `onRequest authenticate, preHandler -`. */
export function hooksText(manifest: Manifest, route: Route): string {
  const texts = hooksOf(manifest, route).map((one) => {
    const { hook, package: of, unknown, isConditional } = one
    const name = hook === '*' ? '' : ` ${hookName(one)}`
    const notes = [of, unknown === undefined && isConditional ? 'under a condition' : '']
    const note = [...notes, unknown === undefined ? '' : 'not known'].filter(Boolean).join(', ')
    return `${hook}${name}${note === '' ? '' : ` (${note})`}`
  })
  return texts.join(', ')
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

/** Explains why some routes are listed twice, with and without a trailing slash. Returns `''` if no route is. */
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
