/** docs/codes.md: a section for each code, made of the catalogues and of the samples that give the code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../../compiler/index.ts'
import { codeFrame } from '../../compiler/report/frame.ts'
import { messages } from '../../compiler/report/errors.ts'
import { artifactErrorCodes, deploymentErrorCodes } from '../../runtime/errors/index.ts'

const path = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const PAGE = path('docs/codes.md')

/** What a build has said of a sample, and the text of the file. */
export interface Example {
  readonly diagnostic: Diagnostic
  readonly text: string
}

/** Codes of errors that are thrown where applications are started and served. */
const thrown = { ...artifactErrorCodes, ...deploymentErrorCodes }

/** All codes, in the order of the page. */
export const codes: readonly string[] = [...Object.keys(messages), ...Object.keys(thrown).sort()]

/** What the page says of each code. */
export function sectionsOfPage(): ReadonlyMap<string, string> {
  if (!existsSync(PAGE)) return new Map()
  const sections = readFileSync(PAGE, 'utf8').split(/^## /m).slice(1)
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]))
}

/** Writes the page anew. */
export function writePage(examples: ReadonlyMap<string, Example>): void {
  const causes = causesOf(readFileSync(path('docs/cli.md'), 'utf8'))
  const sections = codes.map((code) => {
    const example = examples.get(code)
    const cause = causes.get(code)
    const lines = [`## ${code}`, '']
    if (cause !== undefined) lines.push(`${cause[0]?.toUpperCase()}${cause.slice(1)}.`, '')
    if (example !== undefined) lines.push('```text', exampleText(example), '```', '')
    if (code in thrown) {
      const error = new thrown[code as keyof typeof thrown]('…', '…', '…', '…', '…')
      lines.push('```text', error.message.replace(/(?: …)+$/, ''), '```', '', THROWN, '')
    }
    return lines.join('\n')
  })
  writeFileSync(PAGE, `${BEGINNING}\n\n${sections.join('\n')}`)
}

const BEGINNING = `# Problems and errors, by code

This page has a section for each code of this package: what is wrong, an example, and, at the end of the message, what to do. Those that begin with
\`AOT_\` are problems of [a build](cli.md#problems), those with \`FST_ERR_AOT_\` and \`FST_ERR_DEPLOY_\` are errors of the application that starts with an
artifact. All other codes are Fastify's. \`UPDATE=1 npm test -- report/diagnostics\` writes this page.`

const THROWN =
  '`…` stands for the names of the case. [The artifact](artifact.md#what-is-checked-and-when) says what is checked, and when.'

function exampleText({ diagnostic: { code, message, at }, text }: Example): string {
  const head = `${at.file}:${at.line}:${at.column}  ${code}\n${message}`
  return at.line === 0 || text === '' ? head : `${head}\n\n${codeFrame(text, at)}`
}

/** The table of problems: what is wrong, by code. */
function causesOf(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `(AOT_[A-Z_]+)` +\| (.*?) +\|$/gm)
  return new Map([...rows].map(([, code = '', cause = '']) => [code, cause]))
}
