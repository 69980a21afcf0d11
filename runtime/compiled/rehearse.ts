import type { TakeOption } from '../artifact/index.ts'
import { describeOption, perform, titleOfOption, type Rehearsal } from '../artifact/rehearsal.ts'

type Members = Readonly<Record<string, unknown>>

/** Which of the functions that schemas were compiled with does something else in the running application, in words. */
export function changeIn(list: readonly Rehearsal[], take: TakeOption): string | undefined {
  /** What plugins add, by the option that they stand in. */
  const added = new Map<string, ReadonlyMap<string, object>>()
  const changed = list.find((one) => !isAsExpected(one))
  if (changed === undefined) return undefined
  const { option, keyword, member } = changed
  return `${titleOfOption(option, keyword, member)} does something else than when the artifact was built`

  function isAsExpected({ option, keyword, member = [], script, expected }: Rehearsal): boolean {
    const value = take(option)
    if (script === undefined) return describeOption(option, value) === expected
    const place = JSON.stringify(option)
    if (keyword === undefined && member.length === 0) {
      const { text, keywords } = perform(undefined, value, script)
      added.set(place, keywords)
      return text === expected
    }
    let holder = keyword === undefined ? value : added.get(place)?.get(keyword)
    for (const name of member.slice(0, -1)) holder = (holder as Members | undefined)?.[name]
    const run = (holder as Members | undefined)?.[member.at(-1) ?? '']
    return typeof run === 'function' && perform(holder, run, script).text === expected
  }
}
