/** Compares the pages with the code that they describe. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { optionText } from '../../cli/command.ts'
import { commands } from '../../cli/commands/index.ts'
import { commandHelp } from '../../cli/help.ts'
import { plain } from '../../cli/terminal.ts'
import { waysText } from '../../cli/text/init.ts'
import { anchorOf } from '../../docs/.vitepress/anchor.ts'
import { messages } from '../../compiler/report/errors.ts'
import { VERSION } from '../../runtime/artifact/version.ts'
import { type Figures, savedFigures } from '../bench/figures.ts'
import { codes, explanationOf, sectionsOfPage } from '../support/codes-page.ts'
import { artifactErrorCodes } from '../../runtime/errors/index.ts'
import { root } from '../support/root.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** README.md, every page of `docs/` and those of the examples. */
const pages: readonly string[] = [
  'README.md',
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  ),
]

/** The codes that a page names. */
function codesIn(page: string): string[] {
  return [...read(page).matchAll(/`((?:AOT|FST_ERR_AOT)_[A-Z_]+)`/g)].map(([, code = '']) => code)
}

test('docs/reference/codes.md explains each code, sorted, and no other', () => {
  const sections = sectionsOfPage()
  assert.deepEqual([...sections.keys()], codes)
  for (const [code, section] of sections)
    assert.match(explanationOf(section), /^\S[^]*\.$/, `${code} has no explanation`)
  const problems = Object.keys(messages)
  assert.deepEqual(problems, problems.toSorted())
})

test('docs/reference/artifact.md names every error of an artifact', () => {
  const codes = [...new Set(codesIn('docs/reference/artifact.md'))].sort()
  assert.deepEqual(codes, Object.keys(artifactErrorCodes).sort())
})

test('the pages of the commands and the help text name the same options', () => {
  for (const command of commands) {
    const file = command.name === 'deploy' ? 'docs/guide/deploy.md' : 'docs/reference/cli.md'
    const page = read(file) + read('docs/reference/cli.md')
    assert.ok(page.includes(`framework ${command.name}`), command.name)
    for (const [name, option] of Object.entries(command.options)) {
      const spelling = optionText(name, option)
      assert.ok(commandHelp(command, plain).includes(spelling), spelling)
      for (const one of spelling.split(', '))
        assert.ok(page.includes(`\`${one}\``), `${one} in ${file}`)
    }
  }
})

const hasValue =
  (text: string) =>
  ({ bars }: Figures['groups'][number]): boolean =>
    bars.some(({ value }) => `${value}` === text)

const numbersIn = (text: string): string[] => text.match(/\d+(?:\.\d+)?/g) ?? []

test('a page shows the chart of all saved figures, for light and dark, with the command that measures them', () => {
  for (const [name, figures] of savedFigures()) {
    const { command } = figures
    const shown = pages.filter((page) =>
      ['light', 'dark'].every((scheme) => read(page).includes(`/images/${name}-${scheme}.svg"`)),
    )
    assert.ok(shown.length > 0, `no page shows ${name}`)
    const known = numbersIn(JSON.stringify(figures)).flatMap((one) => [one, `${Math.trunc(+one)}`])
    for (const page of shown) {
      const picture = new RegExp(`alt="([^"]*)" src="[^"]*/${name}-light.svg"`)
      const stated = numbersIn(picture.exec(read(page))?.[1] ?? '')
      const isShown = stated.some((one) => figures.groups.some(hasValue(one)))
      assert.ok(isShown, `the alternative text of ${name} in ${page} has no figures`)
      const unknown = stated.filter((one) => !known.includes(one))
      assert.deepEqual(unknown, [], `the alternative text of ${name} in ${page}`)
    }
    assert.ok(
      shown.some((page) => read(page).includes(command.replace(/(?: --)? --save$/, ''))),
      `no page that shows ${name} has its command`,
    )
  }
})

test('the share of a start is that of the saved figures, beyond a bare server', () => {
  const { groups = [] } = savedFigures().get('cold-start') ?? {}
  const { bars = [] } = groups.find(({ label }) => label === '100 routes') ?? {}
  const cost = (name: string): number => bars.find((bar) => bar.name.startsWith(name))?.value ?? NaN
  const share = Math.round((100 * cost('framework/5')) / cost('fastify 5'))
  const claim = `with 100 routes, the first response takes ${share}% of the CPU time that Fastify adds to a bare server`
  assert.ok(read('README.md').includes(claim), claim)
  const ways = waysText(plain)
  assert.match(ways, /beyond a bare server, it starts in a few per cent of the CPU time/)
  assert.ok(read('docs/reference/cli.md').includes(ways), ways)
})

test('plugins work unmodified where they use the public interface, and each claim says so', () => {
  const claims = [...pages, 'CHANGELOG.md'].flatMap((page) =>
    read(page)
      .split(/(?<=\.)\s|\n\n/)
      .filter((sentence) => /plugins[^]*unmodified/i.test(sentence)),
  )
  assert.ok(claims.length > 4)
  for (const claim of [...claims, waysText(plain)])
    assert.match(claim, /public interface|tested ones/, claim)
})

test('every page that installs the packages says from where', () => {
  const installs =
    /^\$? ?(?:npm install|pnpm add|yarn add)\b.* (?:framework|@framework\/compiler)\b|"framework": "\d/m
  const installing = pages.filter((page) => installs.test(read(page)))
  assert.ok(installing.length >= 8, installing.join())
  for (const page of installing) {
    if (!page.endsWith('/install.md'))
      assert.match(read(page), /\((?:docs\/|\.\.\/)?(?:recipes\/)?install\.md\)/, page)
  }
})

test('the name of a file is above its text, because neither GitHub nor the site shows that of a block', () => {
  for (const page of pages) {
    const text = read(page)
    for (const { index, 1: name = '' } of text.matchAll(/^```\w+ +(.+)$/gm)) {
      const above = text.slice(0, index).trimEnd().split('\n\n').at(-1) ?? ''
      assert.ok(above.includes(`\`${name}\``), `${page}: ${name}`)
    }
  }
})

test('every link of a page leads to a file and a heading', () => {
  for (const page of [...pages, 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    for (const [, target = '', anchor] of read(page).matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g,
    )) {
      const file = target === '' ? page : join(dirname(page), target)
      assert.ok(existsSync(join(root, file)), `${page} links to ${target}`)
      if (anchor !== undefined)
        assert.ok(anchorsOf(read(file)).has(anchor), `${page} links to ${target}#${anchor}`)
    }
  }
})

function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading)))
}

test('every script that a page runs exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const page of pages)
    for (const [, name = ''] of read(page).matchAll(
      /\bnpm run ((?:bench|conformance|fuzz|test|demo|pack)[\w:-]*)/g,
    ))
      assert.ok(name in scripts, `${page} runs ${name}`)
})

test('the version is that of the package', () => {
  assert.equal(VERSION, (JSON.parse(read('runtime/package.json')) as { version: string }).version)
})

test('pages stop Node itself, not a package manager, which would not forward the signal', () => {
  const managers = /^\$ .*\b(?:npm|npx|pnpm|yarn) (?!framework dev|workerd).*&$[^]*^\$ kill /m
  // `framework dev` ends with the process that started it.
  const wrong = pages.filter((page) => managers.test(read(page)))
  assert.deepEqual(wrong, [])
})
