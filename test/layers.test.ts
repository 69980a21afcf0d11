/** Checks the imports between folders: layers, cycles, and the number of files per folder. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, test } from 'node:test'
import { root } from './support/root.ts'

/**
 * The layers of each part of the project, from low to high: a folder, and the folders beside it that it may import. All of them may import
 * the files directly in the part. A folder that isn't listed fails the test.
 */
const layers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  runtime: {
    platform: '',
    errors: 'platform',
    artifact: 'platform',
    types: 'artifact errors',
    generated: 'artifact',
    router: 'generated',
    boot: 'errors platform types',
    compiled: 'artifact errors generated platform types',
    serve: 'artifact compiled errors platform router',
    adapter: 'errors platform serve',
    context: 'adapter artifact boot compiled errors generated router serve types',
    route: 'artifact compiled context errors router serve',
    instance: 'adapter artifact boot compiled context errors platform route router serve',
    lines: 'artifact boot context errors generated instance platform route router serve',
    bridge: 'artifact compiled',
    deployed: 'adapter artifact errors platform serve',
  },
  compiler: {
    model: '',
    report: 'model',
    util: 'model report',
    servers: 'model util',
    sandbox: 'model report util',
    '1-scan': 'model report sandbox servers util',
    '2-tree': 'model report servers util',
    '3-resolve': 'model report servers util',
    '4-emit': 'model servers util',
    packages: 'model report servers util',
    '5-artifact': 'model packages report servers util',
    cache: 'model packages report util',
    booted: '2-tree 3-resolve model report sandbox servers util',
    'emit-driver': '3-resolve 4-emit cache model report servers util',
    dev: '4-emit model packages report servers util',
    deploy: '5-artifact cache model report servers util',
  },
  cli: {
    changes: '',
    init: '',
    inspect: '',
    openapi: '',
    page: 'inspect',
    revision: '',
    rules: '',
    watch: '',
    text: 'changes init inspect revision rules watch',
    dev: 'text watch',
    vite: 'dev text watch',
    commands: 'changes dev init inspect openapi page rules text watch',
  },
  'compiler/1-scan': {
    values: '',
    evaluation: 'values',
    builtins: 'evaluation values',
    interpreter: 'builtins evaluation values',
    modules: 'interpreter values',
    instance: 'builtins evaluation values',
    'known-packages': 'builtins instance values',
  },
}

/** Which part may import which. */
const parts: Readonly<Record<string, string>> = {
  runtime: '',
  compiler: 'runtime',
  cli: 'compiler runtime',
}

/** With more files beside its subfolders, a folder doesn't show how data flows through it. */
const MAX_FILES = 20

/** The root of the compiler shows the phases, so it has even fewer. */
const MAX_FILES_OF_COMPILER = 8

interface Import {
  readonly from: string
  readonly to: string
  /** An import of types alone is gone when the code runs. */
  readonly isType: boolean
}

const files = Object.keys(parts).flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.c?ts$/.test(name) && !/(?:^|[/\\])(?:dist|node_modules)[/\\]/.test(name))
    .map((name) => join(root, part, name)),
)

const IMPORT =
  /\b(import|export)\s+(type\s)?([^'"();]*?)\bfrom\s+'(\.[^'$]+\.c?ts)'|\bimport\s*\(?\s*'(\.[^'$]+\.c?ts)'/g

const imports: readonly Import[] = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(IMPORT)].map(([, , type, names, target, bare]) => ({
    from,
    to: resolve(dirname(from), (target ?? bare) as string),
    isType: type !== undefined || /^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names ?? ''),
  })),
)

test('the source files and their imports are found', () => {
  assert.ok(files.length > 300)
  assert.ok(imports.length > 1000)
  assertNone(imports.filter(({ to }) => !files.includes(to)))
})

test('each part imports only the parts below it', () => {
  const partOf = (file: string): string => relative(root, file).split(sep)[0] as string
  assertNone(imports.filter(({ from, to }) => !isAllowed(parts, partOf(from), partOf(to))))
})

for (const [part, table] of Object.entries(layers)) {
  describe(part, () => {
    const folder = join(root, part)

    test('every folder is in the table of layers', () => {
      const found = readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
        .map(({ name }) => name)
      assert.deepEqual(found.sort(), Object.keys(table).sort())
    })

    test('the table lists layers from low to high', () => {
      const names = Object.keys(table)
      const wrong = Object.entries(table).filter(([name, allowed]) =>
        allowed.split(' ').some((other) => names.indexOf(other) >= names.indexOf(name)),
      )
      assert.deepEqual(wrong, [])
    })

    test('each folder imports only the layers that the table allows', () => {
      const wrong = imports.filter(({ from, to }) => {
        const layer = childOf(folder, from)
        const other = childOf(folder, to)
        if (layer === undefined || other === undefined) return false
        return layer in table && other in table && !isAllowed(table, layer, other)
      })
      assertNone(wrong)
    })
  })
}

test('no imports of values make a cycle of files', () => {
  const next = new Map<string, string[]>()
  for (const { from, to, isType } of imports) {
    if (!isType) next.set(from, [...(next.get(from) ?? []), to])
  }
  const inCycle = files.filter((file) => reachableFrom(file, next).has(file))
  const cyclic = inCycle.map((file) => relative(root, file))
  assert.deepEqual(cyclic, [])
})

test('no imports of values or types make a cycle of folders', () => {
  const folders = new Set(files.flatMap((file) => foldersAround(file)))
  const wrong = [...folders].flatMap((folder) => {
    const next = new Map<string, string[]>()
    for (const { from, to } of imports) {
      const [child, other] = [childOf(folder, from), childOf(folder, to)]
      if (child === undefined || other === undefined || child === other) continue
      // Files beside each other may share types.
      if (isFolder(child) || isFolder(other)) next.set(child, [...(next.get(child) ?? []), other])
    }
    const inCycle = [...next.keys()].filter((child) => reachableFrom(child, next).has(child))
    return inCycle.map((child) => relative(root, join(folder, child)))
  })
  assert.deepEqual(wrong, [])
})

test('no folder contains too many files', () => {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = relative(root, dirname(file))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const crowded = [...counts].filter(
    ([folder, count]) => count > (folder === 'compiler' ? MAX_FILES_OF_COMPILER : MAX_FILES),
  )
  assert.deepEqual(crowded, [])
})

function isAllowed(table: Readonly<Record<string, string>>, from: string, to: string): boolean {
  return from === to || (table[from]?.split(' ').includes(to) ?? true)
}

function reachableFrom(file: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(next.get(file))
  // A Set iterates over what is added meanwhile.
  for (const one of seen) for (const other of next.get(one) ?? []) seen.add(other)
  return seen
}

/** The name of the entry of `folder` that is the file, or holds it. */
function childOf(folder: string, file: string): string | undefined {
  return file.startsWith(folder + sep) ? file.slice(folder.length + 1).split(sep)[0] : undefined
}

function isFolder(child: string): boolean {
  return !child.includes('.')
}

function foldersAround(file: string): string[] {
  const folder = dirname(file)
  return folder + sep === root ? [] : [folder, ...foldersAround(folder)]
}

function assertNone(wrong: readonly Import[]): void {
  const texts = wrong.map(({ from, to }) => `${relative(root, from)} → ${relative(root, to)}`)
  assert.deepEqual(texts, [])
}
