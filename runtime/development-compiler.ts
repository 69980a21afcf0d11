import type { DevelopmentCompiler } from './artifact/registry.ts'
import { requireFrom } from './artifact/require-from.ts'
import { VERSION } from './artifact/version.ts'
import { artifactErrorCodes } from './errors/index.ts'
import { findCompiler } from './find-compiler.ts'

/**
 * Loads the compiler: the one place where the runtime reaches it, and only in development.
 *
 * As CommonJS by `require`: that needs no turn of the event loop, tools that change how modules are loaded leave it as it
 * is, and no bundler follows it and takes the compiler along.
 *
 * @throws FST_ERR_AOT_PACKAGE_MISSING
 */
export function loadDevelopmentCompiler(): DevelopmentCompiler {
  try {
    const compiler = requireFrom(import.meta.url, findCompiler('development')) as {
      compileInProcess: DevelopmentCompiler
      VERSION: string
    }
    if (compiler.VERSION === VERSION) return compiler.compileInProcess
    const next = `install @framework/compiler@${VERSION}, this is ${compiler.VERSION}`
    throw new artifactErrorCodes.FST_ERR_AOT_PACKAGE_MISSING('The compiler', next)
  } catch (cause) {
    // Where there are no packages, as in a Worker; what is wrong with one that is there speaks for itself.
    if (!/not found|Cannot find/i.test((cause as Error).message)) throw cause
    const next = 'run "framework build <entry>", or install @framework/compiler to develop'
    throw new artifactErrorCodes.FST_ERR_AOT_PACKAGE_MISSING('The compiler', next, { cause })
  }
}
