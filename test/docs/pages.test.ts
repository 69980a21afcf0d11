/** The pages under `docs/` say what the code says. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { spellingOf } from '../../cli/command.ts'
import { commands } from '../../cli/commands/index.ts'
import { commandHelp } from '../../cli/help.ts'
import { plain } from '../../cli/terminal.ts'
import { messages } from '../../compiler/report/errors.ts'
import { VERSION } from '../../runtime/artifact/version.ts'
import { codes, explanationOf, sectionsOfPage } from '../support/codes-page.ts'
import { artifactErrorCodes } from '../../runtime/errors/index.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The first cells of the table rows that hold a code in capitals. */
function codesIn(page: string): string[] {
  return [...read(page).matchAll(/`((?:AOT|FST_ERR_AOT)_[A-Z_]+)`/g)].map(([, code = '']) => code)
}

test('docs/codes.md explains each code, sorted, and no other', () => {
  const sections = sectionsOfPage()
  assert.deepEqual([...sections.keys()], codes)
  for (const [code, section] of sections)
    assert.match(explanationOf(section), /^\S[^]*\.$/, `${code} has no explanation`)
  const problems = Object.keys(messages)
  assert.deepEqual(problems, problems.toSorted())
})

test('docs/artifact.md speaks of every error of an artifact', () => {
  assert.deepEqual(
    [...new Set(codesIn('docs/artifact.md'))].sort(),
    Object.keys(artifactErrorCodes).sort(),
  )
})

test('the pages of the commands and the help text name the same options', () => {
  for (const command of commands) {
    const file = command.name === 'deploy' ? 'docs/deploy.md' : 'docs/cli.md'
    const page = read(file) + read('docs/cli.md')
    assert.ok(page.includes(`framework ${command.name}`), command.name)
    for (const [name, option] of Object.entries(command.options)) {
      const spelling = spellingOf(name, option)
      assert.ok(commandHelp(command, plain).includes(spelling), spelling)
      for (const one of spelling.split(', '))
        assert.ok(page.includes(`\`${one}\``), `${one} in ${file}`)
    }
  }
})

test('every page that installs the packages says from where', () => {
  const installs =
    /^\$? ?(?:npm install|pnpm add|yarn add)\b.* (?:framework|@framework\/compiler)\b|"framework": "\d/m
  const pages = ['README.md', 'docs', 'docs/recipes'].flatMap((one) =>
    one.endsWith('.md')
      ? [one]
      : readdirSync(join(root, one))
          .filter((file) => file.endsWith('.md'))
          .map((file) => `${one}/${file}`),
  )
  const installing = pages.filter((page) => installs.test(read(page)))
  assert.ok(installing.length >= 8, installing.join())
  for (const page of installing) {
    if (!page.endsWith('/install.md'))
      assert.match(
        read(page),
        /\((?:docs\/|recipes\/)*install\.md\)|\(docs\/recipes\/install\.md\)/,
        page,
      )
  }
})

test('every link of a page leads somewhere', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/applications.md',
    'docs/cli.md',
    'docs/codes.md',
    'docs/artifact.md',
    'docs/cold-start.md',
    'docs/conformance.md',
    'docs/deploy.md',
    'docs/differences.md',
    'docs/errors.md',
    'docs/fastify.md',
    'docs/instead-of-fastify.md',
    'docs/platforms.md',
    'docs/plugins.md',
    ...readdirSync(join(root, 'docs/recipes')).map((name) => `docs/recipes/${name}`),
    'docs/security.md',
    'docs/testing.md',
    'docs/typescript.md',
    'docs/web.md',
    'docs/workers.md',
  ]
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      assert.ok(existsSync(join(root, dirname(page), target)), `${page} links to ${target}`)
    }
  }
})

test('the version is that of the package', () => {
  assert.equal(VERSION, (JSON.parse(read('runtime/package.json')) as { version: string }).version)
})

test('what pages start in the background ends with the signal that they send', () => {
  const managers = /^\$ .*\b(?:npm|npx|pnpm|yarn) (?!framework dev|workerd).*&$/m
  const pages = ['docs', 'docs/recipes'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) =>
      name.endsWith('.md') ? [`${folder}/${name}`] : [],
    ),
  )
  // A package manager passes none on; `framework dev` ends with the one that has started it.
  assert.deepEqual(
    ['README.md', ...pages].filter((page) => managers.test(read(page))),
    [],
  )
})
