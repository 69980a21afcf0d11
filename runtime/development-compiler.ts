import type { DevelopmentCompiler } from './artifact/registry.ts'

/** Loads the compiler: the one place where the runtime reaches it, and only in development. */
export async function loadDevelopmentCompiler(): Promise<DevelopmentCompiler> {
  // Not a literal, so that a bundler does not take the compiler along.
  const specifier = '../compiler/development.js'
  const compiler = (await import(specifier)) as { compileInProcess: DevelopmentCompiler }
  return compiler.compileInProcess
}
