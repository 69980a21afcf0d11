/** The analysis as one HTML page that needs nothing else: pictures of rectangles, and the tables that they show. */
import type { HierarchyRectangularNode } from 'd3-hierarchy'
import { hierarchy, treemap } from 'd3-hierarchy'
import type { ModuleSize } from '../sizes.ts'
import type { Analysis } from './index.ts'

/** A rectangle, or what lies in it. */
interface Area {
  readonly name: string
  readonly value?: number
  readonly children?: readonly Area[]
}

const WIDTH = 1200
const HEIGHT = 560

export function analysisPage({ name, modules, costs }: Analysis): string {
  const sections = [
    section('Code', picture(byOwner(modules), kilobytes), sizeTable(modules)),
    ...(costs === undefined
      ? []
      : [
          section(
            'Time of a start until it listens',
            picture(
              {
                name: '',
                children: costs.map(({ name, ms }) => ({ name: label(name), value: ms })),
              },
              milliseconds,
            ),
            table(
              ['of', 'ms'],
              costs.map(({ name, ms }) => [label(name), ms.toFixed(1)]),
            ),
          ),
        ]),
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(name)}: what a deployment is made of</title>
<style>${STYLE}</style>
<h1>${escape(name)}</h1>
${sections.join('\n')}
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { max-width: 1200px; margin: 1rem auto; padding: 0 1rem; }
svg { width: 100%; height: auto; }
rect { stroke: Canvas; fill: hsl(var(--hue) 45% 72%); }
text { font-size: 13px; fill: #111; pointer-events: none; }
.package { fill: none; stroke: CanvasText; }
td, th { text-align: left; padding: .1rem 1.5rem .1rem 0; }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { rect { fill: hsl(var(--hue) 35% 62%); } }
`

function section(title: string, ...content: readonly string[]): string {
  return `<h2>${title}</h2>\n${content.join('\n')}`
}

function byOwner(modules: readonly ModuleSize[]): Area {
  const owners = new Map<string, Area[]>()
  for (const { owner, name, bytes } of modules) {
    const areas = owners.get(owner) ?? []
    areas.push({ name, value: bytes })
    owners.set(owner, areas)
  }
  return {
    name: '',
    children: [...owners].map(([owner, children]) => ({ name: label(owner), children })),
  }
}

function label(owner: string): string {
  return owner || 'the application'
}

/** Rectangles whose areas are values, the ones of a package inside of its own. */
function picture(root: Area, unit: (value: number) => string): string {
  const sum = hierarchy<Area>(root, ({ children }) => children)
    .sum(({ value = 0 }) => value)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const layout = treemap<Area>().size([WIDTH, HEIGHT]).paddingInner(1).round(true)(sum)
  const groups = (layout.children ?? []).map((group, nth) => {
    const title = `${group.data.name}: ${unit(group.value ?? 0)}`
    const leaves = group.leaves().map((leaf) => rectangle(leaf, titleOf(leaf, group, unit)))
    const inside = fits(group, title)
      ? `<text x="${group.x0 + 6}" y="${group.y0 + 18}">${escape(title)}</text>`
      : ''
    return `<g style="--hue:${(nth * 67) % 360}">${leaves.join('')}${rectangle(group, title, 'package')}${inside}</g>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${groups.join('\n')}</svg>`
}

function titleOf(
  leaf: HierarchyRectangularNode<Area>,
  group: HierarchyRectangularNode<Area>,
  unit: (value: number) => string,
): string {
  const path = leaf === group ? group.data.name : `${group.data.name}: ${leaf.data.name}`
  return `${path}: ${unit(leaf.value ?? 0)}`
}

function rectangle(
  { x0, y0, x1, y1 }: HierarchyRectangularNode<Area>,
  title: string,
  kind?: string,
): string {
  const of = kind === undefined ? '' : ` class="${kind}"`
  const shape = `x="${x0}" y="${y0}" width="${x1 - x0}" height="${y1 - y0}"`
  return `<rect${of} ${shape}><title>${escape(title)}</title></rect>`
}

/** Letters are about seven units wide. */
function fits({ x0, y0, x1, y1 }: HierarchyRectangularNode<Area>, text: string): boolean {
  return y1 - y0 > 24 && x1 - x0 > text.length * 7 + 12
}

function sizeTable(modules: readonly ModuleSize[]): string {
  const rows = modules.map(({ owner, name, bytes }) => [label(owner), name, kilobytes(bytes)])
  return `<details><summary>${modules.length} modules</summary>${table(['package', 'module', 'size'], rows)}</details>`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`
  return `<table>${row(heads, 'th')}${rows.map((one) => row(one, 'td')).join('\n')}</table>`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(1)} ms`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
