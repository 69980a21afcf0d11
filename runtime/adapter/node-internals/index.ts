/**
 * Writes responses through internal fields and methods of `node:http`. A small response takes a quarter less CPU time this way,
 * because Node otherwise checks and formats the same headers again for each response.
 *
 * Everything in the runtime that depends on Node's internals is in this folder. It is used only on the releases that the tests run on.
 */
import type * as Http from 'node:http'
import { createResponseClass, type ResponseClass } from './response.ts'

/** Major versions of Node that the tests run on. */
export const testedNodes: readonly string[] = ['20', '22', '24', '26']

/**
 * Returns server options with the class of responses. They are empty on other releases of Node, in Bun and in Deno, and with
 * `useNodeInternals: false`.
 */
export function fastResponses(
  http: typeof Http,
  useNodeInternals: boolean | undefined,
): { ServerResponse?: ResponseClass } {
  return useNodeInternals !== false && isTestedNode()
    ? { ServerResponse: createResponseClass(http) }
    : {}
}

function isTestedNode(): boolean {
  const { node, bun, deno } = process.versions as Partial<Record<string, string>>
  if (node === undefined || bun !== undefined || deno !== undefined) return false
  return testedNodes.includes(node.slice(0, node.indexOf('.')))
}
