/** The tests of fastify-type-provider-zod have the same results on `framework/5` with compiled parsers, where code generation is refused. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { outputOf } from '../../../../compiler/5-artifact/output.ts'
import type { CompiledType } from '../../../../compiler/sandbox/schema-libraries/library.ts'
import type { PackedUnit, ResolvedApp } from '../../../../compiler/model/index.ts'
import { resolveOptions } from '../../../../compiler/options.ts'
import { SourceFiles } from '../../../../compiler/util/source-files.ts'
import { installOnce } from '../../../conformance/install.ts'
import { cacheDir } from '../../../conformance/suite.ts'
import { root } from '../../../support/root.ts'

const dependencies = {
  '@fastify/swagger': '9.9.3',
  '@fastify/swagger-ui': '6.0.0',
  '@readme/openapi-parser': '6.1.3',
  fastify: '5.12.8',
  'fastify-type-provider-zod': '7.0.0',
  'oas-validator': '5.0.8',
  'openapi-types': '12.1.3',
  zod: '4.6.7',
}

const exceptions: readonly string[] = [
  // Snapshots of an older Zod.
  'failed transformer generates types for fastify-swagger with OAS 3.1.0 correctly',
  'failed transformer should allow specification of Zod target to handle OpenAPI 3.1',
]

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

test("the provider's tests have the results that they have on Fastify 5, by compiled parsers", () => {
  const cache = join(cacheDir, 'zod-provider')
  installOnce(cache, { dependencies }, () => {})
  const [suite, packages] = ['suite', 'node_modules'].map((name) => join(cache, name)) as [
    string,
    string,
  ]
  rmSync(suite, { recursive: true, force: true })
  cpSync(join(root, 'fixtures/zod/provider-suite'), suite, { recursive: true })
  for (const name of ['framework', 'vitest']) {
    rmSync(join(packages, name), { recursive: true, force: true })
    const source = name === 'framework' ? 'runtime' : join('node_modules', name)
    symlinkSync(join(root, source), join(packages, name))
  }
  cpSync(join(root, 'fixtures/zod/vitest.provider.config.js'), join(suite, 'vitest.config.js'))
  const artifact = join(suite, 'artifact.mjs')

  /** Returns the outcomes of the tests, and the lines that the server recorded. */
  const run = (server: string, flags: string): readonly [outcomes: string[], lines: string[]] => {
    const [report, record] = [join(suite, `${server}.json`), join(suite, `${server}.txt`)]
    writeFileSync(record, '')
    const args = ['run', '--config', join(suite, 'vitest.config.js'), '--reporter=json']
    const env = {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      SUITE: suite,
      SERVER: join(root, `dist/test/support/provider-on-${server}.js`),
      FLAGS: flags,
      PACKAGES: packages,
      RECORD: record,
      ARTIFACT: pathToFileURL(artifact).href,
    }
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { stderr } = spawnSync(process.execPath, [vitest, ...args, `--outputFile=${report}`], {
      cwd: suite,
      env,
      encoding: 'utf8',
    })
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const outcomes = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .map(({ status, fullName }) => `${status} ${fullName}`)
    assert.ok(outcomes.length > 30, stderr)
    return [outcomes.sort(), readFileSync(record, 'utf8').trim().split('\n')]
  }

  const [expected, types] = run('fastify', '')
  const parsers = types.flatMap((line) => (JSON.parse(line) as CompiledType).parser ?? [])
  writeFileSync(artifact, artifactOf(parsers))
  const [actual, values] = run('framework', '--disallow-code-generation-from-strings')
  assert.deepEqual(actual, expected)
  assert.deepEqual(
    actual.filter((one) => one.startsWith('failed ')),
    exceptions,
  )
  const parsed = values.filter((one) => one === 'parsed')
  // Most tests send what isn't valid, or only write documents.
  assert.deepEqual([values.length, parsed.length], [12, 5])
})

/** Returns the module that a build would write. */
function artifactOf(parsers: readonly NonNullable<CompiledType['parser']>[]): string {
  const packed = parsers.map(({ digest, maker, imports }): PackedUnit => ({
    digest,
    maker,
    imports,
    userImports: [],
    shared: [],
    size: maker.length,
  }))
  const unique = [...new Map(packed.map((one) => [one.digest, one])).values()]
  const options = {
    ...resolveOptions({ entry: join(root, 'fixtures/zod/app.js') }),
    line: 'fastify@5' as const,
  }
  const app = { routes: [] } as unknown as ResolvedApp
  const libraries = {
    packed: unique,
    modules: new Map([
      [
        'zod',
        {
          specifier: 'zod/v4/core',
          members: new Set(parsers.flatMap(({ members }) => members)),
        },
      ],
    ]),
    digests: new Set(unique.map(({ digest }) => digest)),
    absence: '',
  }
  const { entryFiles } = outputOf({ packed: [] }, '{}', app, libraries, options, new SourceFiles())
  return entryFiles.get('worker.mjs') as string
}
