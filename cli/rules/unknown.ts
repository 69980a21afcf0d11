/** Runs a rule for each answer that an unknown may have. */

/** Thrown where a rule reads what isn't known. */
export class Unknown extends Error {}

/** One run of a rule: the answers that unknowns have in it. */
export interface Run {
  /** Returns an answer to a question of which only the running application knows the answer. */
  ask(question: string, why: string): boolean
  /** Ends the run. */
  refuse(why: string): never
}

/** More combinations of answers count as broken. */
const maxRuns = 64

/** Returns why a rule doesn't hold for some answer; `undefined` if it holds for all. `rule` returns why it doesn't, `''` for no reason. */
export function brokenBy(rule: (run: Run) => string | undefined): string | undefined {
  const plans: (readonly boolean[])[] = [[]]
  let runs = 0
  for (let plan = plans.pop(); plan !== undefined; plan = plans.pop()) {
    if (++runs > maxRuns) return 'too much of it is not known'
    const asked = new Map<string, { readonly answer: boolean; readonly why: string }>()
    let refused: string | undefined
    const answers = plan
    const run: Run = {
      ask(question, why) {
        const known = asked.get(question) ?? { answer: answers[asked.size] ?? true, why }
        asked.set(question, known)
        return known.answer
      },
      refuse(why) {
        refused ??= why
        throw new Unknown(why)
      },
    }
    let reason: string | undefined
    try {
      reason = rule(run)
    } catch (error) {
      if (refused === undefined) throw error
    }
    // Also if the rule has caught it.
    if (refused !== undefined) return refused
    if (reason !== undefined) {
      const why = [...asked.values()].map((one) => one.why)
      return why.length === 0 ? reason : why.join('; ')
    }
    const given = [...asked.values()].map(({ answer }) => answer)
    for (let i = plan.length; i < given.length; i++) plans.push([...given.slice(0, i), false])
  }
  return undefined
}
