/**
 * `npm run bench:start-functions`
 *
 * Boots a small application from `dist/package`, asks it once, and writes the names of the runtime's functions that ran
 * to `start-functions.json`. The build has those compiled with their file; a name too many or too few costs a few
 * microseconds of a start, nothing else.
 */
import { fork, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateApplication, sampleRequest } from './application.ts'
import { send } from './request.ts'
import { commandFile } from '../../support/command-file.ts'

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      /** Of the function itself first. */
      readonly ranges: readonly [
        { readonly startOffset: number; readonly endOffset: number; readonly count: number },
      ]
    }[]
  }[]
}

/** Coverage is written when a process exits, which it does not do by itself when a signal ends it. */
const stopAtSigterm = 'data:text/javascript,process.on("SIGTERM", () => process.exit())'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const coverageFolder = mkdtempSync(join(tmpdir(), 'start-functions-'))
const folder = join(root, 'dist/bench/start-functions')
const out = join(folder, '.framework')
const { entry } = generateApplication(folder, 1, 'loop')
const build = spawnSync(process.execPath, [commandFile, 'build', entry, '--out', out], {
  encoding: 'utf8',
})
if (build.status !== 0) throw new Error(build.stderr)
await serveOnce()
const names = calledFunctions()
rmSync(coverageFolder, { recursive: true })
writeFileSync(join(root, 'start-functions.json'), `${JSON.stringify(names, null, 2)}\n`)
console.log(`${names.length} functions`)

/** Starts the application, asks it once, and lets it write down what it has called. */
function serveOnce(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(join(folder, 'framework.mjs'), {
      execArgv: ['--import', join(out, 'register.js'), '--import', stopAtSigterm],
      env: { ...process.env, NODE_V8_COVERAGE: coverageFolder },
    })
    child.on('error', reject)
    child.on('exit', () => resolve())
    child.on('message', (message: { port?: number }) => {
      if (message.port === undefined) return void child.kill('SIGTERM')
      send(message.port, sampleRequest).catch(reject)
    })
  })
}

function calledFunctions(): string[] {
  const names = new Set<string>()
  for (const file of readdirSync(coverageFolder)) {
    const text = readFileSync(join(coverageFolder, file), 'utf8')
    for (const script of (JSON.parse(text) as Coverage).result) {
      if (!script.url.includes('/dist/package/')) continue
      for (const name of calledDeclarations(script)) names.add(name)
    }
  }
  return [...names].sort()
}

/** Functions that are declared in no other function, and no methods. */
function calledDeclarations({ url, functions }: Coverage['result'][number]): string[] {
  const text = readFileSync(fileURLToPath(url), 'utf8')
  const names: string[] = []
  let end = 0
  // An outer function stands before those in it; the first of all is the file.
  for (const { functionName, ranges } of functions.slice(1)) {
    const [{ startOffset, endOffset, count }] = ranges
    const own = text.slice(startOffset, endOffset)
    if (startOffset < end || !/^(async )?function\b/.test(own)) continue
    end = endOffset
    const isDeclared =
      /^(async )?function [\w$]/.test(own) ||
      // As the build writes those that it knew already.
      text.slice(0, startOffset).endsWith(`var ${functionName}=(`)
    if (count > 0 && isDeclared) names.push(functionName)
  }
  return names
}
