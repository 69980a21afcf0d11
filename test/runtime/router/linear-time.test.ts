/** For any path of a route, the work for a URL grows linearly with its length. Steps are counted, not time. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { Program } from '../../../runtime/router/linear-regex/compile.ts'
import { type Count, runProgram } from '../../../runtime/router/linear-regex/run.ts'
import { Router } from '../../../runtime/router/index.ts'
import { parsePath } from '../../../runtime/router/path.ts'
import { toProgram } from '../../../runtime/router/segment-matcher.ts'
import type { ParamSlot } from '../../../runtime/router/param-slot.ts'
import { runs } from '../../support/runs.ts'
import { countWork } from '../../support/work.ts'
import { pumped, segment } from './expressions.ts'

const options = { caseSensitive: true, allowUnsafeRegex: false, isVersion9: false }

/** The slot of a segment; `null` when it is refused. */
function slotOf(path: string): ParamSlot | null {
  try {
    return parsePath(`/${path}`, options).slots[0] ?? null
  } catch {
    return null
  }
}

/** The steps of a backtracking engine, such as JavaScript's; it stops after `limit`. */
function stepsOfBacktracking(program: Program, text: string, limit: number): number {
  const { steps, start } = program
  let count = 0
  const choices: [at: number, index: number][] = [[start, 0]]
  while (choices.length > 0 && count <= limit) {
    let [at, index] = choices.pop()!
    for (; ; count++) {
      const step = steps[at]!
      if (step.kind === 'match') return count
      if (step.kind === 'lookahead')
        count += stepsOfBacktracking({ ...program, start: step.start }, text.slice(index), limit)
      if (step.kind === 'assertion' && step.source === '$' && index < text.length) break
      if (step.kind === 'character') {
        if (index === text.length || !step.set(text.charCodeAt(index))) break
        index++
      }
      if (step.kind === 'split') choices.push([step.other, index])
      at = step.next
      if (count > limit) break
    }
  }
  return count
}

/** A text that counts how far it is searched. */
class CountingText extends String {
  searched = 0
  override indexOf(text: string, from: number): number {
    const found = super.indexOf(text, from)
    this.searched += (found === -1 ? this.length : found) - from + text.length
    return found
  }
}

test('the steps for a segment are limited by its length, times the size of the path', () => {
  const seen = { texts: 0, engine: 0, program: 0, refused: 0 }
  const property = fc.property(segment, pumped, (path, text) => {
    const slot = slotOf(path)
    const { source, matcher } = slot ?? {}
    if (!source || !matcher) {
      seen.refused++
      return
    }
    const long = text.of(500)
    const program = toProgram(source)!
    if (!path.includes('(')) {
      seen.texts++
      const counting = new CountingText(long)
      matcher.exec(counting as unknown as string)
      assert.ok(counting.searched <= long.length + path.length)
      return
    }
    const limit = program.steps.length * (long.length + 1)
    if (matcher instanceof RegExp) {
      seen.engine++
      assert.ok(program.choices < 2)
      assert.ok(stepsOfBacktracking(program, long, limit) <= limit, slot?.label)
      return
    }
    seen.program++
    const count: Count = { steps: 0 }
    runProgram(program, long, count)
    const lookaheads = program.steps.filter((step) => step.kind === 'lookahead').length
    assert.ok(count.steps <= limit * (1 + lookaheads), slot?.label)
  })
  fc.assert(property, runs(3000))
  for (const [kind, times] of Object.entries(seen)) assert.ok(times > 50, `${kind}: ${times}`)
})

test('a segment matches the same as with the expression of find-my-way', () => {
  const property = fc.property(segment, pumped, (path, text) => {
    const { source, matcher } = slotOf(path) ?? {}
    if (!source || !matcher) return
    const short = text.of(5)
    const expected = new RegExp(source).exec(short)
    assert.deepEqual(matcher.exec(short)?.slice(), expected?.slice(), source)
  })
  fc.assert(property, runs(3000))
})

test('the count detects an expression that backtracks without end', () => {
  for (const source of ['^(a|a)*$', '^(.*)-(.*)-(.*)x$', '^(a*a*a*)$']) {
    const program = toProgram(source)!
    const text = 'a-'.repeat(250)
    const limit = program.steps.length * (text.length + 1)
    const steps = ['a'.repeat(500) + '!', text].map((each) =>
      stepsOfBacktracking(program, each, limit),
    )
    assert.ok(Math.max(...steps) > limit, source)
  }
})

test('a look-up among many routes takes no more work for each character of a longer URL', async () => {
  const router = new Router()
  const paths = [
    ...'/:a /:a.:b.x /:a-:b.:c /:a(a+)b /:a(^[a-z]+$)a /:a.js /a /aa /* /:a/:b /:a/:b/* /a/:b(b*)/c'.split(
      ' ',
    ),
    ...'/:a/:b/:c/:d /:a/:b.:c/:d /a/:b/:c(\\d+)/d/:e /:a/a/a/a/a/:b'.split(' '),
  ]
  for (const path of paths) router.on('GET', path, {}, () => {})
  const url = (length: number, part: string): string => `/${part.repeat(length / part.length)}`
  for (const part of ['a', 'a/', 'a.', '/', '%25', '%61', '%2F', '.-', 'aa/a.a/', '%zz', '?a=1&']) {
    for (const kind of [part, `a/${part}`]) {
      const find = (length: number) => (): unknown => router.find('GET', url(length, kind))
      router.find('GET', url(600, kind))
      const [short, long] = [
        await countWork(/\/dist\/runtime\/router\//, find(600)),
        await countWork(/\/dist\/runtime\/router\//, find(6000)),
      ]
      assert.ok(long <= 10.5 * short, `${kind}: ${short} and ${long}`)
    }
  }
})

test("paths that can't be matched in linear time are refused when they are declared, unless that is allowed", () => {
  const refused = [
    String.raw`/:x((a|b)\1)`,
    '/:x(a*(?=b*c))',
    '/:a.:b((?![ce])d)',
    '/:x(a{2000})',
    '/:x((?:ab|c){500})',
  ]
  for (const path of refused) {
    const declare = (allowUnsafeRegex: boolean): void =>
      new Router({ allowUnsafeRegex }).on('GET', path, {}, () => {})
    assert.throws(() => declare(false), /^AssertionError: The regex '.*' is not safe!$/, path)
    declare(true)
  }
})
