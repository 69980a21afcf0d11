/** Each application under `fixtures/diagnostics` is broken, and gives exactly the problems that its `_config.js` lists. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { after, test } from 'node:test'
import { build, type BuildOptions, type Diagnostic } from '../../../compiler/index.ts'
import { deploy, type Target } from '../../../compiler/deploy/index.ts'
import { messages } from '../../../compiler/report/errors.ts'
import { packageRootOf } from '../../../compiler/util/paths.ts'
import { sectionsOfPage, writePage, type Example } from '../../support/codes-page.ts'
import { loadSamples, samples, type SampleConfig } from '../../support/samples.ts'
import { runCommand } from '../../support/command-runs.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { root } from '../../support/root.ts'

interface DiagnosticsConfig extends SampleConfig {
  /** The file that is built; by default `app.ts`. */
  readonly entry?: string
  /** The platform, if the sample is deployed instead of built. */
  readonly deploy?: Target
  readonly build?: Partial<BuildOptions>
  /** Problems; without any, the artifact is written. */
  readonly diagnostics?: readonly ExpectedDiagnostic[]
  /** Warnings, which don't fail the build. */
  readonly warnings?: readonly ExpectedDiagnostic[]
}

interface ExpectedDiagnostic {
  readonly code: string
  /** Relative to the sample's folder. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The smallest manifest. */
const previous = '{ "format": 0, "version": "0.0.0", "compilers": {}, "functions": {} }'

const examples = new Map<string, Example>()

/** Inside the checkout, so that places are shown as for other samples. */
const copies = join(root, `dist/samples-${process.pid}`)
after(() => rmSync(copies, { recursive: true, force: true }))

await samples<DiagnosticsConfig>('diagnostics', async (sample) => {
  const { config } = sample
  const dir = install(sample.dir)
  const out = previousArtifact()
  const options = { boot: false, ...config.build, entry: join(dir, config.entry ?? 'app.ts'), out }
  const result = config.deploy
    ? await deploy({ ...options, out: join(out, 'deployed'), target: config.deploy })
    : { ...(await build(options)), deployment: undefined }
  const { diagnostics: problems = [], warnings = [] } = config
  assertSays(result.diagnostics, problems, dir)
  assertSays(result.warnings, warnings, dir)
  for (const one of [...result.diagnostics, ...result.warnings]) noteExample(one, dir)
  const isWritten = 'artifact' in result ? result.artifact : result.deployment
  assert.equal(isWritten === undefined, problems.length > 0)
  if (problems.length > 0) assertUntouched(out)
})

test('the command prints every problem with its place and frame, exits 1 and writes nothing', () => {
  const out = previousArtifact()
  const entry = join(root, 'fixtures/diagnostics/several-problems/app.ts')
  const { status, stdout, stderr } = runCommand(root, ['build', entry, '--out', out])
  assert.equal(status, 1)
  assert.equal(stdout, '')
  for (const [file, line, problem, excerpt] of [
    ['app.ts', 7, 'AOT_SCHEMA_MISSING_ID', "app.addSchema({ type: 'object' })"],
    ['authors.ts', 4, 'AOT_SCHEMA_INVALID', 'minimun: 1'],
    ['books.ts', 2, 'AOT_REF_OUT_OF_SCOPE', "$ref: 'author#'"],
    ['books.ts', 10, 'AOT_SCHEMA_INVALID', "type: 'text'"],
  ] as const) {
    assert.match(stderr, new RegExp(`several-problems/${file}:${line}:\\d+ +${problem}`))
    assert.ok(stderr.includes(excerpt), excerpt)
  }
  assertUntouched(out)
})

test('every problem that a build can report has a sample', async () => {
  const covered = new Set(
    (await loadSamples<DiagnosticsConfig>('diagnostics')).flatMap(({ config }) =>
      [...(config.diagnostics ?? []), ...(config.warnings ?? [])].map(({ code }) => code),
    ),
  )
  assert.deepEqual(
    Object.keys(messages).filter((code) => !covered.has(code)),
    // These aren't problems of an application: test/cli/versions.test.ts, output.test.ts, compile-cache.test.ts, openapi.test.ts, init/, rules.test.ts.
    [
      'AOT_COMPILER_VERSION',
      'AOT_INIT_ENTRY',
      'AOT_INIT_FASTIFY',
      'AOT_INIT_NOT_WRITABLE',
      'AOT_INIT_PACKAGE_JSON',
      'AOT_INIT_TARGET',
      'AOT_INIT_WORKSPACE_ROOT',
      'AOT_NODE_NOT_FOUND',
      'AOT_NODE_TOO_OLD',
      'AOT_OPENAPI_FAILS',
      'AOT_OUTPUT_LEADS_OUT',
      'AOT_OUTPUT_NOT_OURS',
      'AOT_OUTPUT_NOT_WRITABLE',
      'AOT_RULES_INVALID',
      'AOT_RULE_BROKEN',
      'AOT_RULE_EXCEPTION_UNUSED',
      'AOT_RULE_EXCEPTION_WITHOUT_REASON',
      'AOT_RULE_FAILS',
      'AOT_RULE_UNKNOWN',
      'AOT_START_FAILS',
    ],
  )
})

test('docs/reference/codes.md has what the samples say', () => {
  if (process.env['UPDATE']) writePage(examples)
  const sections = sectionsOfPage()
  for (const [code, { diagnostic, text }] of examples) {
    const [line = ''] = text.split('\n').slice(diagnostic.at.line - 1)
    assert.ok(sections.get(code)?.includes(line.trim()), code)
  }
})

/** The first sample of each code. */
function noteExample(diagnostic: Diagnostic, dir: string): void {
  if (examples.has(diagnostic.code)) return
  const { file } = placeOf(diagnostic, dir)
  const at = { ...diagnostic.at, file }
  const source = join(dir, file)
  const text = existsSync(source) ? readFileSync(source, 'utf8') : ''
  // Shows paths as from within the sample's folder.
  const message = diagnostic.message
    .replaceAll(diagnostic.at.file, file)
    .replaceAll(`${relative(root, dir)}/`, '')
    .replaceAll(dir, '.')
  examples.set(diagnostic.code, { diagnostic: { ...diagnostic, at, message }, text })
}

function assertSays(
  found: readonly Diagnostic[],
  expected: readonly ExpectedDiagnostic[],
  dir: string,
): void {
  assert.deepEqual(
    found.map((one) => placeOf(one, dir)),
    expected.map(placeOfExpected),
    found.map(({ message }) => message).join('\n'),
  )
  const prefix = `${relative(baseOf(dir), dir).replaceAll(sep, '/')}/`
  for (const [index, { message }] of expected.entries()) {
    const said = found[index]?.message.replaceAll(prefix, '') ?? ''
    assert.ok(
      said.includes(message),
      `${JSON.stringify(said)} does not say ${JSON.stringify(message)}`,
    )
  }
}

function placeOf({ code, at }: Diagnostic, dir: string) {
  const file = relative(dir, join(baseOf(dir), at.file)).replaceAll(sep, '/')
  return { code, file, line: at.line, column: at.column }
}

/** The folder that places are relative to: a copy lies below the build's output, which has a package.json of its own. */
function baseOf(dir: string): string {
  return packageRootOf(join(dir, 'app.ts')) ?? root
}

function placeOfExpected({ code, file, line, column }: ExpectedDiagnostic): object {
  return { code, file, line, column }
}

/** A sample whose packages stand in `_packages` is copied to where it has them. */
function install(sample: string): string {
  const packages = join(sample, '_packages')
  if (!existsSync(packages)) return sample
  const dir = join(copies, basename(sample))
  cpSync(sample, dir, { recursive: true })
  cpSync(packages, join(dir, 'node_modules'), { recursive: true })
  return dir
}

/** A folder that holds what an earlier build may have written. */
function previousArtifact(): string {
  const out = temporaryFolder({ after })
  writeFileSync(join(out, 'manifest.json'), previous)
  return out
}

function assertUntouched(out: string): void {
  assert.deepEqual(readdirSync(out), ['manifest.json'])
  assert.equal(readFileSync(join(out, 'manifest.json'), 'utf8'), previous)
}
