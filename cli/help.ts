/** Every option of `framework build`; docs/cli.md describes the same. */
export const buildOptions = {
  '-o, --out <dir>': 'folder of the artifact (default: .framework)',
  '--allow-dynamic': 'build the rest when something is known only to the running application',
  '--trace': 'boot the application to learn what its source does not tell',
  '--verify': 'boot the application and compare it with what was found',
  '--strict-eval': 'fail when a package generates code at run time, instead of warning',
  '--boot-timeout <seconds>': 'how long booting may take (default: 30)',
  '--no-cache': 'compile everything again, whatever has changed',
  '--json': 'print the report, or the problems, as one JSON object',
  '-h, --help': 'print this text',
} as const

export function helpText(): string {
  const width = Math.max(...Object.keys(buildOptions).map((option) => option.length))
  const options = Object.entries(buildOptions)
    .map(([option, text]) => `  ${option.padEnd(width)}   ${text}`)
    .join('\n')
  return `Compiles an application's schemas ahead of time.

Usage
  framework build <entry> [options]

  <entry>   the file that creates the application, or exports a factory function or a plugin

Options
${options}

Afterwards
  node --import ./.framework/register.js app.js`
}
