/**
 * docs/reference/codes.md: a section per code with an explanation, written by hand, and an example, generated from the messages and from
 * the samples that report the code. `UPDATE=1 npm test -- report/diagnostics` writes the examples.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../../compiler/index.ts'
import { codeFrame } from '../../compiler/report/frame.ts'
import { messages } from '../../compiler/report/errors.ts'
import { artifactErrorCodes, deploymentErrorCodes } from '../../runtime/errors/index.ts'

const path = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const PAGE = path('docs/reference/codes.md')

/** A diagnostic of a sample, and the text of its file. */
export interface Example {
  readonly diagnostic: Diagnostic
  readonly text: string
}

/** Errors that the runtime throws when applications start. */
const thrown = { ...artifactErrorCodes, ...deploymentErrorCodes }

/** Arguments of the messages of thrown errors, as an application causes them. */
const thrownFor: Readonly<Record<keyof typeof thrown, readonly string[]>> = {
  FST_ERR_AOT_FUNCTION_MISSING: [
    'validator',
    'POST /v1/books, body',
    ' (declared at app.js:23:3)',
    '`properties.name.maxLength` of the shared schema "author" is 80; the build read 40 at app.js:5:1, and "app.js" changed since',
    ' Run "framework build app.js".',
  ],
  FST_ERR_AOT_ARTIFACT_MISSING: [
    'POST /v1/books, body',
    ' (declared at app.js:23:3)',
    'framework build app.js',
  ],
  FST_ERR_AOT_ARTIFACT_VERSION: ['0.1.0', '0.2.0', 'framework build app.js'],
  FST_ERR_AOT_ARTIFACT_DAMAGED: [
    '"/srv/shop/.framework/chunks/9YsO6SpQ.cjs" is not what the build wrote',
    'framework build app.js',
  ],
  FST_ERR_AOT_OTHER_LINE: ['Fastify 4.21', 'Fastify 5', 'framework build app.js'],
  FST_ERR_AOT_OTHER_BUILD: [
    '"/srv/shop/chunks/9YsO6SpQ.cjs" does not exist',
    'framework deploy app.js --target node',
  ],
  FST_ERR_AOT_PACKAGE_MISSING: [
    '"pino"',
    "install it where the application runs, or import 'framework/logger' in what you bundle",
  ],
  FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION: ['framework build app.js'],
  FST_ERR_DEPLOY_BOOT_REFUSED: [
    'Disallowed operation called within global scope. Asynchronous I/O (ex: fetch() or connect()), setting a timeout, and generating random values are not allowed within global scope.',
  ],
  FST_ERR_DEPLOY_COMPATIBILITY_DATE: ['`logger`', '2026-03-17'],
  FST_ERR_DEPLOY_NO_TRANSPORT: [],
  FST_ERR_DEPLOY_NOT_LISTENING: [],
  FST_ERR_DEPLOY_SECOND_APPLICATION: [],
}

/** All codes in the order of the page. */
export const codes: readonly string[] = [...Object.keys(messages), ...Object.keys(thrown).sort()]

/** Text of the page before the first section, and the sections by code. */
function pageText(): readonly [beginning: string, sections: ReadonlyMap<string, string>] {
  const [beginning = '', ...sections] = readFileSync(PAGE, 'utf8').split(/^## /m)
  return [
    beginning,
    new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section])),
  ]
}

/** The sections of the page by code. */
export function sectionsOfPage(): ReadonlyMap<string, string> {
  return pageText()[1]
}

/** The explanation of a section: its first paragraph, unless it begins with the example. */
export function explanationOf(section: string): string {
  const [, first = ''] = /^.*\n\n((?:(?!```).+\n)*)/.exec(section) ?? []
  return first.trim()
}

/** Writes the examples of all sections, and adds empty sections for new codes. */
export function writePage(examples: ReadonlyMap<string, Example>): void {
  const [beginning, written] = pageText()
  const sections = codes.map((code) => {
    const explanation = explanationOf(written.get(code) ?? '')
    const example = exampleOf(code, examples.get(code))
    const text = example === undefined ? [] : [['```text', example, '```'].join('\n')]
    return [`## ${code}`, explanation, ...text].filter((part) => part !== '').join('\n\n')
  })
  writeFileSync(PAGE, `${beginning}${sections.join('\n\n')}\n`)
}

function exampleOf(code: string, example: Example | undefined): string | undefined {
  if (example !== undefined) return exampleText(example)
  if (!(code in thrown)) return undefined
  const thrownCode = code as keyof typeof thrown
  return new thrown[thrownCode](...thrownFor[thrownCode]).message
}

function exampleText({ diagnostic: { code, message, at }, text }: Example): string {
  const head = `${at.file}:${at.line}:${at.column}  ${code}\n${message}`
  return at.line === 0 || text === '' ? head : `${head}\n\n${codeFrame(text, at)}`
}
