/** The build finds the routes that the Fastify of a line has, HEAD twins among them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyLine } from '../../../runtime/artifact/lines.ts'
import { buildProject, createProject, fastifyLines, runProject } from '../../support/bridged.ts'

/** Routes that differ from 4.21 in both lines. */
const BOTH = `
  const handler = async () => 'a'
  app.route({ method: ['GET', 'PUT'], url: '/list', handler })
  app.route({ method: ['GET', 'HEAD'], url: '/both', handler })
  app.route({ method: ['GET'], url: '/no-twin', exposeHeadRoute: false, handler })
  app.head('/any/:id', handler)
  app.get('/any/one', handler)
  app.get('/plain', handler)
  app.all('/all', { handler })
  app.register(async (child) => {
    child.route({ method: ['GET', 'DELETE'], url: '/', handler })
  }, { prefix: '/child' })
`

const OF_LINE: Readonly<Record<FastifyLine, string>> = {
  'fastify@4': `
  app.route({ method: 'REPORT', url: '/report', handler })
  app.route({ method: 'get', url: '/lower', handler })`,
  'fastify@5': `
  app.query('/query', { schema: { body: { type: 'object' } } }, handler)
  app.trace('/trace', handler)
  app.route({ method: 'get', url: '/lower', handler })
  app.route({ method: ['get', 'post'], url: '/lower-list', handler })
  app.addHttpMethod('MKCOL')
  app.addHttpMethod('LOCK', { hasBody: true })
  app.mkcol('/added', handler)
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.get('/with-body', { schema: { body: { type: 'object' } }, exposeHeadRoute: false }, handler)
  app.route({ method: 'LOCK', url: '/locked', schema: { body: { type: 'object' } }, handler })
  app.all('/all-with-added', handler)`,
}

for (const line of fastifyLines) {
  test(`routes of ${line}`, async () => {
    const text = `import Fastify from 'fastify'
const app = Fastify({ ${line === 'fastify@5' ? 'routerOptions: { caseSensitive: false }' : 'caseSensitive: false'} })
app.addHook('onRoute', ({ method, url }) => {
  for (const one of [method].flat()) console.log(one + ' ' + url)
})
app.register(async (app) => {${BOTH}${OF_LINE[line]}
})
await app.ready()
`
    const folder = createProject(line, { 'app.mjs': text })
    const { stdout, stderr } = await runProject(folder, 'app.mjs')
    assert.equal(stderr.replaceAll(/^.*Warning.*\n/gm, ''), '')
    const manifest = await buildProject(folder, 'app.mjs')
    const found = manifest.routes.map(({ method, url }) => `${method} ${url}`)
    // For `/` under a prefix, hooks see one of the two URLs.
    const shown = new Set(stdout.trim().split('\n'))
    assert.deepEqual(
      [...new Set(found)].filter((one) => !one.endsWith('/child/')).sort(),
      [...shown].filter((one) => !one.endsWith('/child/')).sort(),
    )
  })
}
