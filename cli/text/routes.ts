import type { Route } from '../../compiler/built-schemas.ts'
import type { Paint } from '../terminal.ts'
import { partsText } from './report.ts'

/** One line for each route. */
export function routesText(routes: readonly Route[], paint: Paint): string {
  const rows = routes.map((route) => {
    const constraints = Object.entries(route.constraints ?? {}).map(
      ([name, value]) => ` ${name}=${value}`,
    )
    return [
      route.method,
      `${route.url}${constraints.join('')}`,
      partsText(route),
      route.context,
      route.at,
    ]
  })
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(0, ...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) => {
      const [method = '', url = '', parts = '', context = '', at = ''] = row.map((cell, column) =>
        cell.padEnd(widths[column] ?? 0),
      )
      return `${paint('bold', method)}  ${url}  ${parts}  ${paint('dim', context)}  ${paint('cyan', at)}`
    })
    .join('\n')
}
