/** An application that generates code while it boots: deploying it warns, and where that is refused it answers nothing. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { appNamed } from '../support/engines.ts'
import { serveConfig } from '../support/workerd.ts'
import { generatesCode } from './rows.ts'
import { runCommand, runNode } from '../support/command-runs.ts'
import { temporaryFolder } from '../support/folders.ts'

const bareHost = fileURLToPath(new URL('../support/web/bare-host.js', import.meta.url))
const evalError = /EvalError: Code generation from strings disallowed for this context/

const refusals = {
  web(folder: string) {
    const flags = ['--experimental-vm-modules', '--no-warnings']
    const { status, stderr } = runNode(folder, [...flags, bareHost, join(folder, 'index.js')])
    assert.equal(status, 1)
    assert.match(stderr, evalError)
  },
  async workerd(folder: string) {
    const { port, prints, stop } = await serveConfig(folder, 'config.capnp')
    try {
      assert.equal((await fetch(`http://127.0.0.1:${port}/plain/token`)).status, 500)
      await prints(evalError)
    } finally {
      await stop()
    }
  },
}

for (const [target, isRefused] of Object.entries(refusals)) {
  test(`${generatesCode}: deploying it to ${target} warns, and it doesn't boot there`, async (t) => {
    const folder = temporaryFolder(t)
    const out = join(folder, 'out')
    const args = ['deploy', appNamed(generatesCode).source, '--target', target, '--out', out]
    // While a Worker starts, it may generate code, but draw no random bytes, as this one does.
    if (target === 'workerd') args.push('--late-boot')
    const { status, stderr } = runCommand(folder, args)
    assert.equal(status, 0, stderr)
    assert.match(
      stderr,
      /csrf\/app\.ts:2:18 {2}AOT_CODE_GENERATION\n.*`new Function` at \S+ \(@fastify\/csrf-protection > @fastify\/csrf\)/,
    )
    await isRefused(out)
  })
}
