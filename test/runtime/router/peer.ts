/** find-my-way 7.7 without the defects that random programs would show: see known-differences.test.ts. */
import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import type { MakeRouter } from './transcript.ts'

const file = createRequire(import.meta.url).resolve('find-my-way')

/** A node that leads nowhere, so that the search goes back to another route. */
const deadEnd = 'currentNode = { isLeafNode: false, getNextNode: () => null }'

const mended = readFileSync(file, 'utf8')
  // It would go on as if the segment were empty.
  .replace(
    'if (matchedParameters === null) continue',
    `if (matchedParameters === null) { ${deadEnd}; continue }`,
  )
  // A parameter that is too long would end the search.
  .replace(
    'for (let i = 1; i < matchedParameters.length; i++) {',
    `if (matchedParameters.some((one, i) => i > 0 && one.length > maxParamLength)) { ${deadEnd}; continue }\n$&`,
  )
  .replace(/(if \(param\.length > maxParamLength\) \{\s+)return null/, `$1${deadEnd}; continue`)
  // `/:a?` would be refused.
  .replaceAll(
    "path.replace(OPTIONAL_PARAM_REGEXP, '$2')",
    "(path.replace(OPTIONAL_PARAM_REGEXP, '$2') || '/')",
  )
  // The pattern would lack the texts between parameters of one segment.
  .replaceAll('let lastParamStartIndex = i + 1', "let parts = ''\n$&")
  .replaceAll('lastParamStartIndex = j + 1', "parts += '()' + staticPart\n$&")
  .replaceAll("isRegexNode ? '()' + staticPart : staticPart", 'isRegexNode ? parts : staticPart')

const peer = new Module(file) as Module & { _compile(text: string, file: string): void }
peer.filename = file
peer.paths = [`${file.slice(0, file.lastIndexOf('/find-my-way/'))}`]
peer._compile(mended, file)

export const makePeer: MakeRouter = peer.exports as MakeRouter
