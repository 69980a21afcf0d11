import type { TakeOption } from '../index.ts'
import {
  describeOption,
  functionIn,
  replay,
  titleOfFunction,
  type ReplayCheck,
  type ReplayChecks,
} from './index.ts'

/** Names the first function that schemas with these options were compiled with and that does something else in the running application. */
export function firstChange(
  all: readonly ReplayChecks[],
  options: string,
  take: TakeOption,
): string | undefined {
  return all
    .filter((one) => one.options === options)
    .map(({ list }) => changeIn(list, take))
    .find(Boolean)
}

function changeIn(list: readonly ReplayCheck[], take: TakeOption): string | undefined {
  /** Keywords that plugins add, by the option that contains the plugin. */
  const pluginKeywords = new Map<string, ReadonlyMap<string, object>>()
  const changed = list.find((check) => !isAsExpected(check))
  if (changed === undefined) return undefined
  return `${titleOfFunction(changed)} does something else than when the artifact was built`

  function isAsExpected({ option, keyword, member = [], script, expected }: ReplayCheck): boolean {
    const value = take(option)
    if (script === undefined) return describeOption(option, value) === expected
    const optionKey = JSON.stringify(option)
    // The function is the option itself: a plugin or `onCreate`. Its own check comes before those of keywords that it adds.
    if (keyword === undefined && member.length === 0) {
      const { text, keywords } = replay(undefined, value, script)
      pluginKeywords.set(optionKey, keywords)
      return text === expected
    }
    const [owner, run] = functionIn(
      keyword ? pluginKeywords.get(optionKey)?.get(keyword) : value,
      member,
    )
    return typeof run === 'function' && replay(owner, run, script).text === expected
  }
}
