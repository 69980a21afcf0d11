import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** How much of the processor a process has taken, in ms; `undefined` when that cannot be told. */
export async function cpuTime(id: number): Promise<number | undefined> {
  try {
    return process.platform === 'linux' ? ofLinux(id) : await ofPosix(id)
  } catch {
    // It has ended, or this is Windows.
    return undefined
  }
}

/** Linux counts in hundredths of a second; the name of the program, which may hold blanks, stands in parentheses. */
function ofLinux(id: number): number {
  const text = readFileSync(`/proc/${id}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Hours, minutes and seconds, with or without hundredths. */
async function ofPosix(id: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(id)])
  return (
    stdout
      .trim()
      .split(/[-:]/)
      .map(Number)
      .reduce((sum, part) => sum * 60 + part) * 1000
  )
}
