// Preloaded into the process of each test file of Fastify 5, which has its own time limits by `node:test`.
import './redirect.mjs'
import './code-generation.mjs'
