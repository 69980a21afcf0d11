/** The example of docs/reference/errors.md, run as it is written. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort, listening } from '../support/ports.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, stepsOf } from './tour.ts'

const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')

test('the example of docs/reference/errors.md does what it shows, and the server goes on', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const port = await freePort()
  for (const { info, text } of blocksOf(page, 'js'))
    shop.write(info, text.replace('3000', `${port}`))
  let server: ChildProcess | undefined
  t.after(() => server?.kill())
  let answers = 0
  for (const { command, output } of stepsOf(page)) {
    const [program, ...args] = command.split(' ')
    if (program === 'npx') {
      shop.succeed(...args.slice(1))
    } else if (args.at(-1) === '&') {
      server = spawn(process.execPath, args.slice(0, -1), { cwd: shop.folder, stdio: 'ignore' })
      await listening(port)
    } else {
      for (let time = 0; time < 2; time++) {
        const { stdout, stderr } = shop.node(...args)
        assert.equal(stdout.trim(), output, stderr)
        answers++
      }
    }
  }
  assert.equal(answers, 2)
  assert.equal(server?.exitCode, null)
})
