/** Gets the JavaScript of TypeScript files from the supervisor. */
import { readMessage, writeMessage } from '../../sandbox/child/pipe.ts'
import type { Question, Transpiled } from '../messages.ts'

/** Throws if the file has a syntax error. */
export function javascriptOf(pipe: number, file: string, format: 'cjs' | 'esm'): string {
  writeMessage(pipe, { ask: 'javascript', file, format } satisfies Question)
  const answer = readMessage(pipe) as Transpiled | undefined
  if (answer === undefined) throw new Error('The build has ended')
  if ('error' in answer) throw new SyntaxError(answer.error)
  return answer.code
}
