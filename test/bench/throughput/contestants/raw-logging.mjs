/** Logs the same as Fastify, by node:http and pino. */
import { createServer } from 'node:http'
import { pino } from 'pino'

const logger = pino({}, pino.destination('/dev/null'))
let count = 0

export default createServer((request, response) => {
  const { method, url, headers, socket } = request
  const start = performance.now()
  const log = logger.child({ reqId: `req-${(++count).toString(36)}` })
  const { remoteAddress, remotePort } = socket
  log.info(
    { req: { method, url, hostname: headers.host, remoteAddress, remotePort } },
    'incoming request',
  )
  response.on('finish', () => {
    const { statusCode } = response
    const responseTime = performance.now() - start
    log.info({ res: { statusCode }, responseTime }, 'request completed')
  })
  const body = JSON.stringify({ hello: 'world' })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
