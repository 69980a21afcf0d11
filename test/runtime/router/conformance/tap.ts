/** Assertions of one test file. */
export interface Score {
  readonly passed: number
  readonly failed: number
  /** Titles of the blocks that a failed assertion is in. */
  readonly failedBlocks: readonly string[]
}

/**
 * Counts the assertions in TAP text. A `# Subtest` line opens a block, whose assertions are indented
 * by four more spaces; the point that closes it, at the indentation of the line, is no assertion.
 */
export function scoreTap(text: string): Score {
  const open: string[] = []
  const failedBlocks: string[] = []
  let passed = 0
  let failed = 0
  let isInDiagnostics = false
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '---' || (isInDiagnostics && trimmed === '...')) {
      isInDiagnostics = trimmed === '---'
      continue
    }
    const depth = (line.length - line.trimStart().length) / 4
    const subtest = /^# Subtest(?:: (.*))?$/.exec(trimmed)
    const point = /^(not )?ok \d+/.exec(trimmed)
    if (isInDiagnostics || (subtest === null && point === null)) {
      continue
    }
    if (subtest !== null) {
      open[depth] = subtest[1] ?? ''
    } else if (open[depth] !== undefined) {
      open.length = depth
    } else if (point?.[1] === undefined) {
      passed++
    } else {
      failed++
      failedBlocks.push(open.join(' > '))
    }
  }
  return { passed, failed, failedBlocks: [...new Set(failedBlocks)] }
}
