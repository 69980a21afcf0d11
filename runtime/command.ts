#!/usr/bin/env node
/** The command `framework`. It runs the compiler's command, which a built application doesn't need. */
import { requireFrom } from './artifact/require-from.ts'
import { VERSION } from './artifact/version.ts'
import { findCompiler } from './find-compiler.ts'

const install = `npm install --save-dev @framework/compiler@${VERSION}`

const version = installedVersion()
if (version === VERSION) {
  const { pathToFileURL } = process.getBuiltinModule('node:url')
  const url = pathToFileURL(findCompiler('cli')).href
  await import(url)
} else {
  process.stderr.write(
    version === undefined
      ? `The command "framework" needs the compiler, which is a package of its own: ${install}\n`
      : `framework ${VERSION} needs @framework/compiler ${VERSION}, not ${version}: ${install}\n`,
  )
  process.exitCode = 1
}

function installedVersion(): string | undefined {
  try {
    const packageJson = requireFrom(import.meta.url, findCompiler('package.json'))
    return (packageJson as { readonly version: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
