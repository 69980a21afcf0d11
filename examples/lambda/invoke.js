// Calls the deployed handler with an event, as API Gateway does.
import { handler } from './.framework/deploy/lambda/index.js'

const answer = await handler({
  version: '2.0',
  rawPath: '/orders',
  rawQueryString: '',
  headers: { 'content-type': 'application/json' },
  requestContext: { stage: '$default', http: { method: 'POST', sourceIp: '192.0.2.7' } },
  body: JSON.stringify({ item: 'Emma', quantity: '2' }),
  isBase64Encoded: false,
})
process.stdout.write(`${answer.statusCode} ${answer.body}\n`)
