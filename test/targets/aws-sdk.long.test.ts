/** Version 3 of the AWS SDK, which has versions for Node and for browsers, in a Worker and in a Lambda function. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import { serveConfig } from '../support/workerd.ts'
import { installed } from './installed.ts'

describe('the AWS SDK', () => {
  const queue = createServer((request, response) => {
    request.resume().once('end', () => {
      response.setHeader('content-type', 'application/x-amz-json-1.0')
      response.end('{"MessageId":"one","MD5OfMessageBody":"49f68a5c8493ec2c0bf489821c21fc3b"}')
    })
  })
  const shop: Workshop = createWorkshop({ after }, 'cli/empty')
    .writeApp(`import framework from 'framework/5'
import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
export const app = framework()
app.get('/', async () => {
  const client = new SQSClient({ region: 'eu-central-1', endpoint: process.env.SQS, credentials })
  const QueueUrl = \`\${process.env.SQS}/orders\`
  const { MessageId } = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hi' }))
  return { MessageId }
})
`)
  let url: string

  before(async () => {
    const client = installed('@aws-sdk/client-sqs', '3.1175.0', {}, 'aws-sdk')
    const modules = dirname(dirname(client))
    for (const scope of ['@aws', '@aws-sdk', '@smithy'])
      symlinkSync(join(modules, scope), join(shop.folder, 'node_modules', scope))
    for (const name of ['bowser', 'tslib'])
      symlinkSync(join(modules, name), join(shop.folder, 'node_modules', name))
    await new Promise<void>((resolve) => queue.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(queue.address() as AddressInfo).port}`
  })
  after(() => queue.close())

  test('works in a Worker', async () => {
    shop.succeed('deploy', 'app.js', '--target', 'workerd', '--out', 'worker')
    const out = join(shop.folder, 'worker')
    const network = '(name = "internet", network = (allow = ["private", "public"])), '
    const config = readFileSync(join(out, 'config.capnp'), 'utf8')
      .replace('services = [', `$&${network}`)
      .replace('bindings = [', `$&(name = "SQS", text = ${JSON.stringify(url)})`)
      .replace('compatibilityFlags = [', '$&"disallow_eval_during_startup", ')
    writeFileSync(join(out, 'probe.capnp'), config)
    const worker = await serveConfig(out, 'probe.capnp')
    try {
      const answer = await fetch(`http://127.0.0.1:${worker.port}/`)
      assert.deepEqual(await answer.json(), { MessageId: 'one' }, worker.output())
    } finally {
      await worker.stop()
    }
  })

  test('works in a Lambda function that is called elsewhere, where the SDK creates `awslambda`', async () => {
    shop.succeed('deploy', 'app.js', '--target', 'lambda', '--out', 'function')
    shop.write(
      'ask.js',
      `process.env.SQS = process.argv[2]
const { handler, streaming } = await import('./function/index.js')
const http = { method: 'GET', sourceIp: '192.0.2.7' }
const event = { version: '2.0', rawPath: '/', headers: {}, requestContext: { http } }
const { body } = await handler(event, {})
console.log(JSON.stringify([body, typeof globalThis.awslambda, typeof streaming]))
`,
    )
    // Asynchronous, because the queue is in this process.
    const { stdout } = await promisify(execFile)(process.execPath, ['ask.js', url], {
      cwd: shop.folder,
    })
    assert.deepEqual(JSON.parse(stdout), ['{"MessageId":"one"}', 'object', 'undefined'])
  })
})
