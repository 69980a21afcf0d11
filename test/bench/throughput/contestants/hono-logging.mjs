/** With the logger that comes with Hono. */
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { logger } from 'hono/logger'
import { createWriteStream } from 'node:fs'

const log = createWriteStream('/dev/null')
const app = new Hono()
app.use(logger((...words) => log.write(`${words.join(' ')}\n`)))
app.get('/', (c) =>
  c.json({ hello: 'world' }, 200, { 'content-type': 'application/json; charset=utf-8' }),
)

export default createAdaptorServer({ fetch: app.fetch })
