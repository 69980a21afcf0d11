import type { DevelopmentCompiler } from './artifact/registry.ts'
import { requireFrom } from './artifact/require-from.ts'
import { VERSION } from './artifact/version.ts'
import { artifactErrorCodes } from './errors/index.ts'
import { findCompiler } from './find-compiler.ts'

/**
 * Loads the compiler, which only development needs.
 *
 * It's CommonJS and loaded by `require`, which is synchronous. Loaders that transform modules don't affect it, and bundlers don't
 * include it.
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
    // Explain only missing modules: the compiler, or one that it imports. The error depends on the platform, and may have no code.
    if (!/not found|Cannot find/i.test((cause as Error).message)) throw cause
    const next = 'run "framework build <entry>", or install @framework/compiler to develop'
    throw new artifactErrorCodes.FST_ERR_AOT_PACKAGE_MISSING('The compiler', next, { cause })
  }
}
