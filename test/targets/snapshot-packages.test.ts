/** Which packages can be in a start-up snapshot: `npm run test:targets`. docs/deploy.md shows the same table. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nodeBinary } from '../nodes/install.ts'
import { startFolder } from '../support/start-folder.ts'
import { refusedPackages, takenPackages } from './snapshot-packages.ts'
import { createPluginShop, deployPlugins } from './snapshot-shop.ts'

if (process.env['TARGETS'] === 'all') {
  const node = nodeBinary('24')
  const shop = createPluginShop({ after })

  test('what a snapshot can hold is in one all together, and works', async () => {
    const { status, stderr } = deployPlugins(shop, node, takenPackages)
    assert.equal(status, 0, stderr)
    const out = join(shop.folder, 'out')
    const flags = ['--snapshot-blob', join(out, 'snapshot.blob')]
    const server = await startFolder(out, shop.folder, { NODE_ENV: '' }, { node, flags })
    try {
      for (const [nth, { name, answer }] of takenPackages.entries()) {
        const response = await fetch(`http://127.0.0.1:${server.port}/${nth}/`)
        assert.equal(await response.text(), answer, name)
      }
      assert.doesNotMatch(server.output(), /FrameworkSnapshot/)
    } finally {
      server.child.kill()
    }
  })

  const alone = refusedPackages.filter(({ throws }) => throws)
  const together = refusedPackages.filter((one) => !alone.includes(one))
  for (const group of [together, ...alone.map((one) => [one])]) {
    test(`what a snapshot cannot hold is refused: ${group.map(({ name }) => name).join(', ')}`, () => {
      const { status, stderr } = deployPlugins(shop, node, group)
      assert.equal(status, 1)
      for (const { name, refused } of group) {
        assert.ok(
          refusals(stderr).some((one) => one.includes(refused)),
          `${name}\n${stderr}`,
        )
      }
    })
  }
}

/** What stands under each refusal's place. */
function refusals(text: string): string[] {
  return [...text.matchAll(/AOT_SNAPSHOT_REFUSED\n(.*)/g)].map(([, message]) => message as string)
}
