import type { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import framework, { type FastifyBodyParser, type FastifyContentTypeParser } from 'framework'
import { same } from './expect.ts'

const app = framework()

app.addContentTypeParser('application/yaml', (request, payload, done) => {
  same<string>()(request.url)
  same<IncomingMessage>()(payload)
  done(null, {})
  done(new Error())
})
app.addContentTypeParser(
  ['a/b', 'c/d'],
  async (_request: unknown, payload: IncomingMessage) => payload,
)
app.addContentTypeParser(/^image\//, { bodyLimit: 10 }, (_request, _payload, done) => done(null))
app.addContentTypeParser<string>('text/csv', { parseAs: 'string' }, (_request, body, done) => {
  same<string>()(body)
  done(null, body.split(','))
})
app.addContentTypeParser<Buffer>(
  '*',
  { parseAs: 'buffer', bodyLimit: 1 },
  async (_request: unknown, body: Buffer) => {
    same<number>()(body.byteLength)
    return body
  },
)
// @ts-expect-error text or a buffer
app.addContentTypeParser('a/b', { parseAs: 'stream' }, () => {})
same<boolean>()(app.hasContentTypeParser(/^image\//))
app.removeContentTypeParser(['a/b', /^image\//])
app.removeAllContentTypeParsers()

const json: FastifyBodyParser<string> = app.getDefaultJsonParser('error', 'remove')
app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, json)
app.addContentTypeParser<string>('text/plain', { parseAs: 'string' }, app.defaultTextParser)
const stream: FastifyContentTypeParser = async (_request: unknown, payload: IncomingMessage) =>
  payload
app.addContentTypeParser('application/octet-stream', stream)
