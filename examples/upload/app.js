import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import framework from 'framework'

const app = framework()
app.register(multipart, { limits: { fileSize: 10 * 1024 * 1024, files: 1 } })

const receipt = {
  type: 'object',
  properties: { name: { type: 'string' }, sha256: { type: 'string' } },
}

app.post('/files', { schema: { response: { 201: receipt } } }, async (request, reply) => {
  const part = await request.file()
  const hash = createHash('sha256')
  await pipeline(part.file, hash)
  // The stream ends at the limit without an error.
  if (part.file.truncated) throw new app.multipartErrors.RequestFileTooLargeError()
  return reply.code(201).send({ name: part.filename, sha256: hash.digest('hex') })
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
