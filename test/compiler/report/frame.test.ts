import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeFrame } from '../../../compiler/report/frame.ts'

const text = ['const a = 1', 'const b = {', "\t$ref: 'nope#',", '}', 'const c = 2'].join('\n')

test('underlines the text of a location, between the lines around it', () => {
  const frame = codeFrame(text, { file: 'a.ts', line: 3, column: 8, length: 7 })
  assert.equal(
    frame,
    [
      '  1 | const a = 1',
      '  2 | const b = {',
      "> 3 |   $ref: 'nope#',",
      '    |         ^^^^^^^',
      '  4 | }',
    ].join('\n'),
  )
})

test('stays inside the file and inside the line', () => {
  const frame = codeFrame(text, { file: 'a.ts', line: 1, column: 7, length: 500 })
  assert.equal(frame, ['> 1 | const a = 1', '    |       ^^^^^', '  2 | const b = {'].join('\n'))
})

test('shows a location at the very end of a file', () => {
  assert.equal(codeFrame('x', { file: 'a.ts', line: 1, column: 2 }), '> 1 | x\n    |  ^')
})

test('shows the part of a long line around a location', () => {
  const long = `const texts = [${"'abcdef', ".repeat(40)}'wrong', ${"'abcdef', ".repeat(40)}]`
  const column = long.indexOf("'wrong'") + 1
  const [, line = '', carets = ''] = codeFrame(`\n${long}`, {
    file: 'a.ts',
    line: 2,
    column,
    length: 7,
  }).split('\n')
  assert.match(line, /^> 2 \| …/)
  assert.ok(line.length < 180)
  assert.equal(line.slice(carets.indexOf('^'), carets.length), "'wrong'")
  const whole = codeFrame(long, { file: 'a.ts', line: 1, column: 7, length: 500 })
  assert.ok(whole.split('\n').every((one) => one.length < 180))
})
