/** Writes the licences of all bundled packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageJsonIn } from '../util/package-json.ts'
import { packageFolderOf } from '../util/paths.ts'
import { runtimeFolder } from './runtime-folder.ts'

export const LICENSES = 'licenses.md'

/** @param modules absolute paths of the bundled modules */
export function licenseNotices(modules: Iterable<string>): string {
  const files = [...modules].filter((file) => path.isAbsolute(file))
  const folders = new Set(files.flatMap((file) => packageFolderOf(file) ?? []))
  const notices = [...new Set([...folders].map(noticeOf))].sort()
  return `# Licences\n\nThe code holds parts of these packages.\n${notices.join('')}`
}

/** Returns the licences of a deployment: also of the runtime, and of the packages that it was published with, which its build has listed. */
export function deploymentNotices(modules: Iterable<string>): string {
  const runtime = runtimeFolder()
  const others = [...modules].filter((file) => !file.startsWith(runtime))
  const ofRuntime = path.join(runtime, LICENSES)
  return [
    licenseNotices(others),
    noticeOf(path.join(runtime, '..')),
    ...(existsSync(ofRuntime) ? [`\n${readFileSync(ofRuntime, 'utf8')}`] : []),
  ].join('')
}

function noticeOf(folder: string): string {
  const { name = path.basename(folder), version = '', license } = packageJsonIn(folder)
  const kind = typeof license === 'string' ? license : license?.type
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|unlicen[cs]e|notice)(?:[.-].*)?$/i.test(file))
    .sort()
  const texts = files.map((file) => quoted(readFileSync(path.join(folder, file), 'utf8')))
  const title = [name, version, ...(kind === undefined ? [] : [`(${kind})`])].join(' ')
  return `\n## ${title}\n${texts.map((text) => `\n${text}\n`).join('')}`
}

/** Quotes a text in Markdown, so that none of its lines becomes a heading of the file. */
function quoted(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n')
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line.trimEnd()}`)).join('\n')
}
