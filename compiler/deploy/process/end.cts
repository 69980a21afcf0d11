// Runs in a deployment that has nothing to do but to start: what was compiled is written, and the process ends.
process.getBuiltinModule('node:diagnostics_channel').subscribe('framework.listening', () => {
  const module = process.getBuiltinModule('node:module') as { flushCompileCache?: () => void }
  module.flushCompileCache?.()
  process.exit(0)
})
