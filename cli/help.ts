/** Every option of `framework build`; docs/cli.md describes the same. */
export const buildOptions = {
  '-o, --out <dir>': 'folder to write to (default: .framework)',
  '--allow-dynamic': 'leave out what only the running application knows, instead of failing',
  '--trace': 'boot the application as well, and take from it what its source does not say',
  '--verify': 'boot the application as well, and fail where it differs from its source',
  '--strict-eval': 'fail when a package generates code at run time, instead of warning',
  '--boot-timeout <seconds>': 'how long --trace and --verify may take to boot (default: 30)',
  '--no-cache': 'compile everything again, even if nothing has changed',
  '--json': 'print one JSON object instead of text',
  '-h, --help': 'print this text',
} as const

/** What `framework deploy` takes besides; docs/deploy.md describes the same. */
export const deployOptions = {
  '-t, --target <target>': 'the platform to write for: node',
  '-o, --out <dir>': 'folder to write to (default: .framework/deploy/<target>)',
  '--external <package>': 'copy this package as it is instead of bundling it; may be repeated',
  '--include <path>': 'add this file or folder; may be repeated',
  '--with <package>': 'add this package, which the runtime loads on demand; may be repeated',
} as const

export function helpText(): string {
  return `Compiles the JSON schemas of an application before you deploy it.

Usage
  framework build <entry> [options]                      writes the compiled schemas
  framework deploy <entry> --target <target> [options]   writes a folder that runs without npm install

  <entry>   the file that creates the application, or exports a factory function or a plugin

Options of build
${listOf(buildOptions)}

Options of deploy, besides those of build except --verify
${listOf(deployOptions)}

Start what was written
  node --import ./.framework/register.js app.js
  node .framework/deploy/node`
}

function listOf(options: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(options).map((option) => option.length))
  return Object.entries(options)
    .map(([option, text]) => `  ${option.padEnd(width)}   ${text}`)
    .join('\n')
}
