// Preloaded into a deployment: writes the compile cache and ends the process once the deployment listens.
process.getBuiltinModule('node:diagnostics_channel').subscribe('framework.listening', () => {
  const module = process.getBuiltinModule('node:module') as { flushCompileCache?: () => void }
  module.flushCompileCache?.()
  process.exit(0)
})
