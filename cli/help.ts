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

/** What `framework deploy` takes besides; docs/deploy.md describes the same. */
export const deployOptions = {
  '-t, --target <target>': 'what runs it: node',
  '-o, --out <dir>': 'folder of the deployment (default: .framework/deploy/<target>)',
  '--external <package>': 'copy a package instead of bundling it; may be repeated',
  '--include <path>': 'take a file or folder along; may be repeated',
  '--with <package>': 'take along a package that the runtime loads on demand; may be repeated',
} as const

export function helpText(): string {
  return `Compiles an application's schemas ahead of time.

Usage
  framework build <entry> [options]
  framework deploy <entry> --target <target> [options]

  <entry>   the file that creates the application, or exports a factory function or a plugin

Options
${listOf(buildOptions)}

Options of deploy, which has those of build but for \`--verify\`
${listOf(deployOptions)}

Afterwards
  node --import ./.framework/register.js app.js
  node .framework/deploy/node`
}

function listOf(options: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(options).map((option) => option.length))
  return Object.entries(options)
    .map(([option, text]) => `  ${option.padEnd(width)}   ${text}`)
    .join('\n')
}
