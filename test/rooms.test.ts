import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const houses = ['runtime', 'compiler', 'cli']

/** Files that a folder may hold beside its subfolders: more of them do not tell the flow any more. */
const MAX_FILES = 20

/** Each source file with the files that it imports, types included. */
const imports = new Map<string, string[]>()
for (const house of houses) {
  for (const name of readdirSync(join(root, house), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const file = join(root, house, name)
    const specifiers = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
    imports.set(
      file,
      [...specifiers].map(([, specifier]) => resolve(dirname(file), specifier as string)),
    )
  }
}

const folders = new Set([...imports.keys()].flatMap((file) => foldersAround(file)))

test('the files of this package are found, and what they import', () => {
  assert.ok(imports.size > 300)
  assert.ok([...imports.values()].flat().every((file) => file.startsWith(root)))
  assert.ok([...imports.values()].flat().filter((file) => imports.has(file)).length > 1000)
})

test(`no folder holds more than ${MAX_FILES} files beside its subfolders`, () => {
  const counts = [...folders].map((folder) => {
    const own = [...imports.keys()].filter((file) => dirname(file) === folder)
    return [relative(root, folder), own.length] as const
  })
  assert.deepEqual(
    counts.filter(([, count]) => count > MAX_FILES),
    [],
  )
})

test('no circle joins two rooms: in each folder, what lies in it can be told from low to high', () => {
  for (const folder of folders) assert.deepEqual(circlesIn(folder), [], relative(root, folder))
})

/** The imports between what lies directly in a folder that make circles of rooms, as `room/file → room/file`. */
function circlesIn(folder: string): string[] {
  const edges = new Map<string, Set<string>>()
  const found: [from: string, to: string, text: string][] = []
  for (const [file, targets] of imports) {
    const from = childOf(folder, file)
    if (from === undefined) continue
    for (const target of targets) {
      const to = childOf(folder, target)
      if (to === undefined || to === from) continue
      if (!edges.has(from)) edges.set(from, new Set())
      edges.get(from)?.add(to)
      found.push([from, to, `${relative(folder, file)} → ${relative(folder, target)}`])
    }
  }
  // Files of one room may know each other, as types do; rooms may not.
  return found
    .filter(([from, to]) => isRoom(from) || isRoom(to))
    .filter(([from, to]) => reaches(edges, to, from))
    .map(([, , text]) => text)
}

function isRoom(child: string): boolean {
  return !child.includes('.')
}

function reaches(
  edges: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): boolean {
  const seen = new Set([from])
  for (const one of seen) for (const next of edges.get(one) ?? []) seen.add(next)
  return seen.has(to)
}

/** The name of what lies directly in the folder and is the file or holds it. */
function childOf(folder: string, file: string): string | undefined {
  return file.startsWith(folder + sep) ? file.slice(folder.length + 1).split(sep)[0] : undefined
}

function foldersAround(file: string): string[] {
  const folder = dirname(file)
  return folder + sep === root ? [] : [folder, ...foldersAround(folder)]
}
