import type { FaultKind } from '../../../runtime/deployed/snapshot/building.ts'

interface Known {
  readonly kind: FaultKind
  /** The whole line that does it: of another one nobody has looked at what becomes of it. */
  readonly line: RegExp
  readonly because: string
}

/** To mark places in a pattern of the application while it is expanded. */
const marks: Known = {
  kind: 'random',
  line: /^(?:var|const) esc[A-Z][a-z]+ = '\\0[A-Z]+' ?\+ ?Math\.random\(\)(?:\.toFixed\(16\))? ?\+ ?'\\0';?$/,
  because: 'no request brings such a pattern, and no mark is left in what becomes of it',
}

/** What packages do while they are loaded that may be the same in all processes, by the ends of their files' paths. */
const known: Readonly<Record<string, Known>> = {
  'node_modules/@fastify/cookie/signer.js': {
    kind: 'random',
    line: /^crypto\.createHmac\(algorithm, crypto\.randomBytes\(16\)\)$/,
    because: 'it tries whether there is such an algorithm, and throws the bytes away',
  },
  'node_modules/brace-expansion/index.js': marks,
  'node_modules/brace-expansion/dist/commonjs/index.js': marks,
  'node_modules/brace-expansion/dist/esm/index.js': marks,
  'node_modules/debug/src/node.js': {
    kind: 'environment',
    line: /^exports\.inspectOpts = Object\.keys\(process\.env\)\.filter\(key => \{$/,
    because: 'it takes the variables that begin with DEBUG_, which say how it prints',
  },
}

/** What the framework itself does while it is built is done so that a snapshot can hold it. */
const ours: readonly FaultKind[] = ['environment', 'file', 'process', 'random', 'time']

/** @param line what stands where it is done */
export function isHarmless(kind: FaultKind, file: string, line: string): boolean {
  if (file.startsWith('node_modules/framework/')) return ours.includes(kind)
  return Object.entries(known).some(
    ([end, one]) => one.kind === kind && file.endsWith(end) && one.line.test(line.trim()),
  )
}
