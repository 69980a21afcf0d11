/** Runs commands of `framework` for `command-runs.ts`, until the process that has started it ends. */
import { createReadStream, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { commandFile } from './command-file.ts'
import type { CommandCall, Finished } from './command-runs.ts'

const [, , calls = '', answers = ''] = process.argv
// In the order in which the other process opens them: each waits for the other.
const from = openSync(calls, 'r')
const to = openSync(answers, 'w')
const url = pathToFileURL(commandFile).href
let count = 0
// Each command adds a listener.
process.stdout.setMaxListeners(0)
for await (const line of createInterface({ input: createReadStream('', { fd: from }) })) {
  writeSync(to, `${JSON.stringify(await run(JSON.parse(line) as CommandCall))}\n`)
}
process.exit()

async function run({ folder, args }: CommandCall): Promise<Finished> {
  process.chdir(folder)
  process.argv = [process.execPath, commandFile, ...args]
  process.exitCode = undefined
  const printed = { stdout: '', stderr: '' }
  const writes = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = ((chunk: string | Uint8Array) => {
      printed[name] += Buffer.from(chunk as string).toString()
      return true
    }) as typeof write
    return () => (process[name].write = write)
  })
  try {
    // Runs the module anew, but not those that it imports.
    count++
    await import(`${url}?${count}`)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
  for (const restore of writes) restore()
  // The test may remove its folder while a thread of the command still starts, which reads the current folder.
  process.chdir(tmpdir())
  return { status: Number(process.exitCode ?? 0), ...printed }
}
