import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** CPU time of a process, in ms; `undefined` if the process has ended, or without `ps`, as on Windows. */
export async function cpuTime(id: number): Promise<number | undefined> {
  try {
    return process.platform === 'linux' ? onLinux(id) : await onPosix(id)
  } catch {
    return undefined
  }
}

/** Adds user and system time, which Linux gives in hundredths of a second. The name of the program is in parentheses, because it may contain blanks. */
function onLinux(id: number): number {
  const text = readFileSync(`/proc/${id}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Parses `1:02:03` or, as macOS writes it, `2:03.45`. */
async function onPosix(id: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(id)])
  const parts = stdout.trim().split(':').map(Number)
  return parts.reduce((sum, part) => sum * 60 + part) * 1000
}
