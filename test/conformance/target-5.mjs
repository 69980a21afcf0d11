// The subject of the suites of Fastify 5: the runtime, compiling in process as in development.
import 'framework/development'
import framework from 'framework/5'

export default framework
export { framework as 'module.exports' }
