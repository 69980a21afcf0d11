import type { FaultKind } from '../../../runtime/deployed/snapshot/building.ts'

/** What packages do while they are loaded of which nothing is kept, by the ends of their files' paths. */
const known: Readonly<Record<string, { readonly kind: FaultKind; readonly because: string }>> = {
  'node_modules/@fastify/cookie/signer.js': {
    kind: 'random',
    because: 'it tries whether there is such an algorithm, and throws the bytes away',
  },
  'node_modules/debug/src/node.js': {
    kind: 'environment',
    because: 'it takes the variables that begin with DEBUG_, which say how it prints',
  },
}

/** What the framework itself does while it is built is done so that a snapshot can hold it. */
const ours: readonly FaultKind[] = ['environment', 'file', 'process', 'random', 'time']

export function isHarmless(kind: FaultKind, file: string): boolean {
  if (file.startsWith('node_modules/framework/')) return ours.includes(kind)
  return Object.entries(known).some(([end, one]) => one.kind === kind && file.endsWith(end))
}
