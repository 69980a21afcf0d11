/** Writes hooks of requests as source text. */
import type { Frame, Writer } from './writer.ts'

const kinds = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'onSend',
  'onResponse',
] as const

const functions: Readonly<Record<string, string>> = {
  guard: 'export async function guard() {}',
  check: 'export const check = async () => {}',
  made: "export const made = (name: string) => async function inner() { if (name === '') throw new Error(name) }",
  late: 'async function hidden() {}\nexport { hidden as late }',
}

/** Returns the expression of a hook. */
function hookText(w: Writer, frame: Frame): string {
  const home = w.file('lib/hooks.ts')
  const name = w.tape.pick(Object.keys(functions))
  home.declareOnce(functions[name] as string)
  const used = frame.file.use(home, name)
  if (name === 'made') return `${used}('x')`
  return w.tape.chance(2) ? `${used}.bind(${frame.app})` : used
}

/** Returns a statement that adds a hook to an instance. */
export function addHook(w: Writer, frame: Frame): string {
  const hook = w.tape.chance(3) ? 'async () => {}' : hookText(w, frame)
  return `${frame.app}.addHook('${w.tape.pick(kinds)}', ${hook})`
}

/** Returns the option of a route. */
export function hookOption(w: Writer, frame: Frame): string {
  const one = hookText(w, frame)
  return `${w.tape.pick(kinds)}: ${w.tape.chance(5) ? `[${one}, ${hookText(w, frame)}]` : one}`
}
