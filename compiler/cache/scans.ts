import { deserialize, serialize } from 'node:v8'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { KeptFile, KeptScan, KnownRoute, KnownRoutes } from '../model/index.ts'
import type { LoadedModule } from '../util/source-files.ts'
import { isTree } from '../util/exact-text.ts'
import type { BuildRecord } from './record.ts'
import { readSealedBytes, writeSealed } from './sealed.ts'

/** What a build has scanned, with what else the next one has to know so as not to scan. */
export interface StoredScan {
  readonly kept: KeptScan
  readonly loaded: readonly LoadedModule[]
  /** Files that real code consists of: it may depend on anything in them. */
  readonly real: readonly string[]
  /** What routes were resolved to. */
  readonly routes: KnownRoutes
}

/**
 * What a build has left. A graph belongs to all that was read for it, and has absolute paths.
 *
 * @param print of the compiler, and of Node, which alone reads what it has written
 * @param id what `writeScan` gave
 */
export function readScan(
  file: string,
  print: string,
  root: string,
  id: string,
): StoredScan | undefined {
  const content = readSealedBytes(file)
  if (content === undefined) return undefined
  const key = keyOf(print, root, id)
  return content.toString('latin1', 0, key.length) === key
    ? decode(content.subarray(key.length))
    : undefined
}

/** @returns by what it is known */
export function writeScan(
  file: string,
  print: string,
  root: string,
  asked: BuildRecord['asked'],
  scan: StoredScan,
): string {
  const id = digestOf(JSON.stringify(asked))
  const key = Buffer.from(keyOf(print, root, id), 'latin1')
  writeSealed(file, Buffer.concat([key, ...encode(scan)]))
  return id
}

function keyOf(print: string, root: string, id: string): string {
  return digestOf(JSON.stringify([print, root, id]))
}

/** What a file is written as: a tree of JSON, which is read in a third of the time, or what V8 makes of anything else. */
const [TREE, ANY] = [Buffer.from('t'), Buffer.from('v')]

/** A scan as a tree: the texts of files, which JSON would have to look at letter by letter, come after it. */
interface TreeOfScan extends Omit<StoredScan, 'kept' | 'routes'> {
  readonly graph: unknown
  readonly files: readonly TreeOfFile[]
  readonly routes: readonly TreeOfRoute[]
}

interface TreeOfRoute extends Omit<KnownRoute, 'text'> {
  readonly text?: undefined
  readonly name: string
  /** Of the text, in bytes. */
  readonly size: number
}

interface TreeOfFile extends Omit<KeptFile, 'text' | 'names'> {
  readonly text?: undefined
  readonly names: readonly (readonly [name: string, times: number])[]
  /** Of the text, in bytes. */
  readonly size: number
}

function encode(scan: StoredScan): readonly Buffer[] {
  const { kept, routes: known, ...others } = scan
  if (!isTree(kept.graph)) return [ANY, serialize(scan)]
  const texts = kept.files.map(({ text }) => Buffer.from(text))
  const files = kept.files.map((file, i): TreeOfFile => {
    const { length: size } = texts[i] as Buffer
    return { ...file, text: undefined, names: [...file.names], size }
  })
  const routes = Object.entries(known).map(([name, route]): TreeOfRoute => {
    const text = Buffer.from(route.text)
    texts.push(text)
    return { ...route, text: undefined, name, size: text.length }
  })
  const tree: TreeOfScan = { ...others, graph: kept.graph, files, routes }
  return [TREE, Buffer.from(`${JSON.stringify(tree)}\n`), ...texts]
}

function decode(content: Buffer): StoredScan {
  const from = TREE.length
  if (content[0] !== TREE[0]) return deserialize(content.subarray(from)) as StoredScan
  let at = content.indexOf('\n')
  const tree = JSON.parse(content.toString('utf8', from, at++)) as TreeOfScan
  const { graph, files, routes: known, ...others } = tree
  const keptFiles = files.map(({ size, ...file }): KeptFile => {
    const text = content.toString('utf8', at, (at += size))
    return { ...file, text, names: new Map(file.names) }
  })
  const routes: Record<string, KnownRoute> = {}
  for (const { name, size, ...route } of known) {
    routes[name] = { ...route, text: content.toString('utf8', at, (at += size)) }
  }
  return { ...others, kept: { graph, files: keptFiles }, routes }
}
