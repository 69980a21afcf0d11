/** Builds an application, serves it from its artifact, and compares its answers with those of Fastify. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { build } from '../../../compiler/build.ts'
import type { Question } from './ask.ts'
import type { Booted } from '../scan-oracle.ts'
import type { ServeAnswer } from './serve-child.ts'

/** Returns the answers that differ from Fastify's. */
export async function compareAnswers(
  folder: string,
  { questions, answers }: Booted,
): Promise<string[]> {
  const entry = join(folder, 'js/app.js')
  const out = join(folder, '.framework')
  const source = join(folder, 'app.ts')
  const { diagnostics } = await build({ entry: source, out, cache: false })
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => `${code} ${message}`)
  const served = await serve(entry, join(out, 'register.js'), questions)
  if (served.error !== undefined) return [`not served: ${served.error}`]
  return questions.flatMap((question, index) => {
    const [one, other] = [answers[index], served.answers?.[index]]
    return isDeepStrictEqual(one, other)
      ? []
      : [`${JSON.stringify(question)}\n  - ${JSON.stringify(one)}\n  + ${JSON.stringify(other)}`]
  })
}

function serve(
  entry: string,
  register: string,
  questions: readonly Question[],
): Promise<ServeAnswer> {
  const program = fileURLToPath(new URL('./serve-child.js', import.meta.url))
  const child = fork(program, [entry], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    execArgv: ['--no-warnings', '--disallow-code-generation-from-strings', '--import', register],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()))
  child.send(questions)
  return new Promise((resolve) => {
    child.once('message', (answer: ServeAnswer) => resolve(answer))
    child.once('exit', (code) => resolve({ error: `exited with ${code}: ${output}` }))
  })
}
