// The subject of the suites: the runtime, compiling in process as in development.
import 'framework/development'
import framework from 'framework'

export default framework
export { framework as 'module.exports' }
