/**
 * `framework/development`: makes every instance of the process compile in process what no artifact contains.
 *
 *     node --import framework/development app.js
 */
import { registerDevelopmentCompiler } from './artifact/registry.ts'
import { loadDevelopmentCompiler } from './development-compiler.ts'
import { warnIfNotStarted } from './warn-not-started.ts'

const compiler = loadDevelopmentCompiler()
registerDevelopmentCompiler(compiler)
compiler.reportFailures?.()
warnIfNotStarted()
