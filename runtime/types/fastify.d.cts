// Makes `framework` answer for `fastify` in the type checker. Plugins for Fastify 4 declare their decorators and
// options for the module `fastify`; with this file in a program they are declared for `framework`.
//
//     "compilerOptions": { "types": ["node", "framework/fastify"] }
declare module 'fastify' {
  import framework = require('framework')
  export = framework
}
