/** `npm run docs:charts`: draws the saved figures of benchmarks as bar charts, for light and dark pages. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chartFile, type Figures, savedFigures } from './figures.ts'

const schemes = {
  light: { text: '#1f2328', soft: '#59636e', own: '#0969da', peer: '#d0d7de' },
  dark: { text: '#e6edf3', soft: '#9198a1', own: '#58a6ff', peer: '#3d444d' },
}
const font = 'font-family="system-ui, sans-serif"'
/** Narrow, so that the text is readable on a phone too. */
const width = 480
const [nameWidth, barWidth, rowHeight, groupGap, top] = [130, 290, 22, 34, 68] as const

export function drawCharts(): (readonly [path: string, svg: string])[] {
  return [...savedFigures()].flatMap(([name, figures]) =>
    Object.entries(schemes).map(
      ([scheme, colors]) => [chartFile(name, scheme), draw(figures, colors)] as const,
    ),
  )
}

function draw({ title, unit, groups }: Figures, colors: typeof schemes.light): string {
  const texts: string[] = []
  let y: number = top
  for (const { label, bars } of groups) {
    // Groups differ by orders of magnitude: the bars of one are compared with each other.
    const scale = barWidth / Math.max(...bars.map(({ value }) => value))
    texts.push(textAt(0, y, label, colors.text, 'font-weight="600"'))
    for (const { name, value } of bars) {
      y += rowHeight
      const isOwn = name.startsWith('framework')
      const length = Math.max(2, Math.round(value * scale))
      texts.push(
        textAt(nameWidth - 10, y, name, isOwn ? colors.text : colors.soft, 'text-anchor="end"'),
        `<rect x="${nameWidth}" y="${y - 13}" width="${length}" height="16" rx="2" fill="${isOwn ? colors.own : colors.peer}"/>`,
        textAt(nameWidth + length + 8, y, `${value}`, colors.soft, ''),
      )
    }
    y += groupGap
  }
  const height = y - groupGap + 16
  const heading = textAt(0, 18, title, colors.text, 'font-weight="600" font-size="15"')
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escape(title)}">\n${[
    heading,
    textAt(0, 38, unit, colors.soft, ''),
    ...texts,
  ].join('\n')}\n</svg>\n`
}

function textAt(x: number, y: number, text: string, color: string, more: string): string {
  const size = more.includes('font-size') ? '' : 'font-size="13" '
  return `<text x="${x}" y="${y}" ${font} ${size}fill="${color}" ${more}>${escape(text)}</text>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, svg] of drawCharts()) writeFileSync(path, svg)
