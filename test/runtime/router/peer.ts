/** find-my-way 7.7 without the hole that would show in nearly every random program: see known-differences.test.ts. */
import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import type { MakeRouter } from './transcript.ts'

const file = createRequire(import.meta.url).resolve('find-my-way')

const mended = readFileSync(file, 'utf8').replace(
  'if (matchedParameters === null) continue',
  `if (matchedParameters === null) {
     // Goes back, where it would go on as if the segment were empty.
     currentNode = { isLeafNode: false, getNextNode: () => null }
     continue
   }`,
)

const peer = new Module(file) as Module & { _compile(text: string, file: string): void }
peer.filename = file
peer.paths = [`${file.slice(0, file.lastIndexOf('/find-my-way/'))}`]
peer._compile(mended, file)

export const makePeer: MakeRouter = peer.exports as MakeRouter
