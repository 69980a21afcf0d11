/** Blocks that pass on Fastify and not here, by file, with the reason. An entry that passes fails the run. */
const knownDifferences: Readonly<Record<string, readonly KnownDifference[]>> = {
  'cors/hooks.test.js': [
    {
      title: /^Should set hook /,
      reason: "It looks for its hook under Fastify's private symbol for the context of a request.",
    },
  ],
  'swagger/spec/swagger/refs.js': [
    {
      title: /FST_ERR_SCH_ALREADY_PRESENT$/,
      reason: "It asks for an instance of the class in Fastify's private `lib/errors`.",
    },
  ],
}

interface KnownDifference {
  readonly title: RegExp
  readonly reason: string
}

/** How one test file fared. */
export interface Comparison {
  readonly file: string
  /** How many of its blocks pass on Fastify. */
  readonly count: number
  /** Titles of those that do not pass here. */
  readonly lost: readonly string[]
}

/** What is lost without being known, and what is known without being lost. */
export function complaintsOf(comparisons: readonly Comparison[]): string[] {
  return comparisons.flatMap(({ file, lost }) => {
    const known = knownDifferences[file] ?? []
    const isKnown = (block: string): boolean => known.some(({ title }) => title.test(block))
    return [
      ...lost.filter((block) => !isKnown(block)).map((block) => `not ok ${file}: ${block}`),
      ...known
        .filter(({ title }) => !lost.some((block) => title.test(block)))
        .map(({ title }) => `${file}: ${title} is a known difference, but passes`),
    ]
  })
}
