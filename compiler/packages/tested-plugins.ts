/**
 * The plugins in the table of docs/guide/plugins.md, in the versions whose own tests pass here. `npm run conformance:plugins` installs
 * the same.
 */
export const testedPlugins: Readonly<Record<string, string>> = {
  '@fastify/auth': '4.6.1',
  '@fastify/autoload': '5.10.0',
  '@fastify/basic-auth': '5.1.1',
  '@fastify/bearer-auth': '9.4.0',
  '@fastify/compress': '7.0.3',
  '@fastify/cookie': '9.4.0',
  '@fastify/cors': '9.0.1',
  '@fastify/csrf-protection': '6.4.1',
  '@fastify/formbody': '7.4.0',
  '@fastify/helmet': '11.1.1',
  '@fastify/jwt': '8.0.1',
  '@fastify/middie': '8.3.3',
  '@fastify/multipart': '8.3.1',
  '@fastify/rate-limit': '9.1.0',
  '@fastify/sensible': '5.6.0',
  '@fastify/static': '7.0.4',
  '@fastify/swagger': '8.15.0',
  '@fastify/swagger-ui': '4.2.0',
  '@fastify/websocket': '10.0.1',
}
