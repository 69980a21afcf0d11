/** The documents of all applications are what the real @fastify/swagger writes when they run. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compile, type Manifest } from '../../../compiler/index.ts'
import { documentOf, openapiOf } from '../../../cli/openapi/index.ts'
import { runsAll } from '../../support/runs.ts'
import { appNamed, projectNames } from '../../support/engines.ts'
import { root } from '../../support/root.ts'
/** The paths to differing members, joined by spaces. */
function* differing(one: unknown, other: unknown, way: readonly string[] = []): Iterable<string> {
  const isInner = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null
  if (!isInner(one) || !isInner(other)) {
    if (one !== other) yield way.join(' ')
    return
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    yield* differing(one[key], other[key], [...way, key])
  }
}

const run = promisify(execFile)

type Document = Record<string, unknown> & { paths: Record<string, Record<string, unknown>> }

/** Where the documents differ, because only the running application knows. */
const differences: Readonly<Record<string, readonly string[]>> = {
  // A plugin of Ajv changes the schemas that it compiles.
  extensions: [
    '/merge post requestBody content application/json schema $merge source properties pages',
    '/merge post requestBody content application/json schema $merge source required',
    '/merge get parameters 0 schema source required',
    '/patch post requestBody content application/json schema $patch source properties q type',
    '/patch post requestBody content application/json schema $patch source required',
  ],
  plugins: [
    // So does the one of @fastify/multipart: `isFile`.
    ...['picture', 'more items'].flatMap((member) =>
      ['isFile', 'type', 'format'].map(
        (name) =>
          `/uploads/attached/pictures post requestBody content multipart/form-data schema properties ${member} ${name}`,
      ),
    ),
    // Routes that packages declare.
    '/files/known/page.html',
    '/files/known/index.html',
    '/files/known/',
    '/files/known',
    '/neighbours/none{*}',
  ],
}

async function manifestOf(entry: string): Promise<Manifest> {
  const { artifact, diagnostics } = await compile({
    entry,
    cache: false,
    allowDynamic: true,
    boot: false,
  })
  assert.ok(artifact, JSON.stringify(diagnostics, null, 2))
  return artifact.manifest
}

async function bootedDocument(name: string, options: object | undefined): Promise<Document> {
  const { source, file } = appNamed(name)
  const entry = projectNames.includes(name) ? file : source
  const program = fileURLToPath(new URL('./oracle.js', import.meta.url))
  const given = options === undefined ? [] : [JSON.stringify(options)]
  const mode = name.endsWith('plugin-entry') ? 'plugin' : ''
  const { stdout } = await run(process.execPath, [program, entry, mode, ...given], {
    cwd: dirname(entry),
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test', FASTIFY_AUTOLOAD_TYPESCRIPT: '1' },
    maxBuffer: 1 << 26,
  })
  return JSON.parse(stdout) as Document
}

/** fast-json-stringify sorts lists of types in place, while the application gets ready. */
function withSortedTypes(document: Document): unknown {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'type' && Array.isArray(value) ? (value as string[]).toSorted() : value,
  )
}

/** References that lead nowhere. */
function danglingRefs(document: object): ReadonlySet<string> {
  const dangling = new Set<string>()
  JSON.stringify(document, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value
    const target = value
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (one, name) => (one as Record<string, unknown> | undefined)?.[decodeURIComponent(name)],
        document,
      )
    if (!value.startsWith('#/') || target === undefined) dangling.add(value)
    return value
  })
  return dangling
}

for (const name of runsAll ? readdirSync(`${root}/fixtures/apps`) : ['bookshop']) {
  test(`${name}: the document without starting it is that of the running application`, async () => {
    const manifest = await manifestOf(appNamed(name).source)
    const openapi = { openapi: '3.1.0', info: { title: name, version: '1.2.3' } }
    const given = manifest.documentation?.options ?? { openapi }
    const document = documentOf(manifest, given) as Document
    const fair = await bootedDocument(name, manifest.documentation ? undefined : given)
    const [{ paths: ours, ...one }, { paths: theirs, ...other }] = [document, fair].map(
      withSortedTypes,
    ) as [Document, Document]
    assert.deepEqual(one, other)
    assert.deepEqual([...differing(ours, theirs)], differences[name] ?? [])
    assert.ok(Object.keys(document.paths).length > 0)
    const whole = openapiOf(manifest, { name, version: '1.2.3' })
    assert.ok('document' in whole)
    if (manifest.documentation === undefined)
      assert.deepEqual([...danglingRefs(whole.document)], [])
  })
}
