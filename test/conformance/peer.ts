/**
 * What Fastify itself passes: `peer.json`, which `npm run conformance -- --measure` writes. A block is
 *
 * - portable, when it also passes with a second Fastify, loaded from another folder, in the first one's place;
 * - internal, when it does not: it reads private parts of the Fastify that it lies in, or that one's copies of
 *   packages;
 * - not counted, when it also passes with a target that does nothing and with one that throws, or when two runs
 *   differ.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Block } from './blocks.ts'
import { type FileResult, type RunOptions, runFiles } from './run.ts'
import { secondPeer } from './suite.ts'

/** One test file. Keys are those of blocks. */
export interface PeerFile {
  readonly area: string
  /** How long the file took. */
  readonly ms: number
  readonly portable: readonly string[]
  readonly internal: readonly string[]
}

interface StoredFile {
  readonly area: string
  readonly ms: number
  readonly portable: string
  readonly internal?: string | undefined
}

const peerFile = new URL('../../../test/conformance/peer.json', import.meta.url)

/** The test files that are run, by their path in the suite. */
export function readPeer(): Map<string, PeerFile> {
  const stored = JSON.parse(readFileSync(peerFile, 'utf8')) as Record<string, StoredFile>
  return new Map(
    Object.entries(stored).map(([file, { area, ms, portable, internal }]) => [
      file,
      { area, ms, portable: toKeys(portable), internal: toKeys(internal) },
    ]),
  )
}

/** Measures Fastify anew and writes the file. Takes six minutes. */
export async function measurePeer(options: RunOptions): Promise<void> {
  const peer = readPeer()
  const inert = fileURLToPath(
    new URL('../../../test/conformance/child/inert-target.cjs', import.meta.url),
  )
  const throwing = fileURLToPath(
    new URL('../../../test/conformance/child/throwing-target.cjs', import.meta.url),
  )
  const runs: Map<string, FileResult>[] = []
  for (const target of [undefined, undefined, secondPeer, secondPeer, inert, throwing]) {
    runs.push(await runFiles([...peer.keys()], { ...options, target }))
  }
  const stored: Record<string, StoredFile> = {}
  for (const [file, { area }] of peer) {
    const [first, second, other, otherAgain, ...none] = runs.map((run) => run.get(file)) as [
      FileResult,
      FileResult,
      FileResult,
      FileResult,
      ...FileResult[],
    ]
    const steady = passing(first)
      .filter((key) => passing(second).includes(key))
      .filter((key) => passing(other).includes(key) === passing(otherAgain).includes(key))
      .filter((key) => !none.every((result) => passing(result).includes(key)))
    const portable = steady.filter((key) => passing(other).includes(key))
    const internal = steady.filter((key) => !portable.includes(key))
    stored[file] = {
      area,
      ms: first.ms,
      portable: portable.join(' '),
      ...(internal.length > 0 && { internal: internal.join(' ') }),
    }
  }
  writeFileSync(peerFile, `${JSON.stringify(stored, null, 2)}\n`)
}

function passing({ blocks }: { readonly blocks: readonly Block[] }): string[] {
  return blocks.filter(({ ok }) => ok).map(({ key }) => key)
}

function toKeys(text = ''): string[] {
  return text.split(' ').filter((key) => key !== '')
}
