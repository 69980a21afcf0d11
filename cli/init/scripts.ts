/** Parses and changes the commands in package.json scripts. */

import { posix } from 'node:path'
import { replacesFastify } from '../../compiler/servers/detect.ts'

/** The start of a command that runs a program with Node's flags, after variables and wrapper commands. */
const NODE =
  /^(\s*(?:(?:npx|yarn|exec|cross-env|pnpm(?:\s+exec)?|(?:c8|nyc)(?:\s+-\S+)*)\s+|[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)*(?:node|tsx(?:\s+watch)?))(?=\s|$)/

/** Programs that start Node themselves, which reads `NODE_OPTIONS`. */
const STARTS_NODE =
  /(?:^|\s)(?:nodemon|ts-node(?:-dev|-esm)?|fastify|pm2(?:-runtime|-dev)?|swc-node|esno)(?=\s|$)/

/** Splits a script into its commands and the operators between them. */
function commandsOf(script: string): string[] {
  return script.split(/(\s*(?:&&|\|\||;)\s*)/)
}

interface Step {
  readonly command: string
  /** Where it runs, relative to the package: `''` in its folder, `undefined` if that isn't known. */
  readonly folder: string | undefined
}

/** Returns the commands and operators with the folders that `cd` leads to. */
function stepsOf(script: string): readonly Step[] {
  let folder: string | undefined = ''
  return commandsOf(script).map((command) => {
    const step = { command, folder }
    const [, , to] = /^\s*cd\s+(["']?)(.*?)\1\s*$/.exec(command) ?? []
    // A subshell leaves its folder at a parenthesis that isn't looked for, and `popd` leads anywhere.
    if (/^\s*(?:\(.*\bcd|pushd|popd)\b/.test(command)) folder = undefined
    if (to === undefined) return step
    if (/^[/~-]|[$`]/.test(to)) folder = undefined
    else if (folder !== undefined) folder = posix.join(folder, to)
    return step
  })
}

/** Returns the path, which is relative to the package, from the folder in which a script ends; `undefined` if that isn't known. */
export function pathAfter(script: string, path: string): string | undefined {
  const { folder } = stepsOf(`${script} && `).at(-1) as Step
  return folder === undefined ? undefined : posix.relative(folder, path)
}

/**
 * Preloads a module before the program that a script runs.
 *
 * @param hasCrossEnv whether cross-env is available to set variables on every system
 * @returns undefined if the script isn't understood
 */
export function preload(script: string, module: string, hasCrossEnv: boolean): string | undefined {
  const commands = commandsOf(script)
  const direct = commands.findLastIndex((one) => NODE.test(one))
  if (direct !== -1) {
    const flag = flagAt(script, direct, module)
    if (flag === undefined) return undefined
    commands[direct] = (commands[direct] as string).replace(NODE, `$1 ${flag}`)
    return commands.join('')
  }
  const other = commands.findLastIndex((one) => STARTS_NODE.test(one))
  const flag = flagAt(script, other, module)
  if (other === -1 || flag === undefined || script.includes('NODE_OPTIONS')) return undefined
  const setting = hasCrossEnv ? `cross-env NODE_OPTIONS="${flag}"` : `NODE_OPTIONS='${flag}'`
  commands[other] = `${setting} ${(commands[other] as string).replace(/^cross-env /, '')}`
  return commands.join('')
}

/** Returns the flag for a command of a script: modules of the package are relative to where it runs. */
function flagAt(script: string, index: number, module: string): string | undefined {
  const folder = stepsOf(script)[index]?.folder
  if (folder === undefined) return undefined
  const up = posix.relative(folder, '.')
  return `--import ${up === '' ? module : module.replaceAll(/(^|\s)\.\//g, `$1${up}/`)}`
}

/** The flag that replaces Fastify. */
const REPLACES = /--import(?:=|\s+)framework\/fastify\s+/g

/** The flag that preloads an artifact. */
const ARTIFACT =
  /--import(?:=|\s+)(['"]?)(?:\.\/)?\.framework\/(?:register\.js|fastify\.mjs(?:\?\w+)?)\1/

/**
 * Makes a script preload an artifact with the module for its server, in place of the module for another one. Doesn't change scripts that
 * run a deployment.
 *
 * @param artifact the modules to preload, as the text after `--import`
 * @returns undefined if the script isn't understood
 */
export function preloadArtifact(
  script: string,
  artifact: string,
  hasCrossEnv: boolean,
): string | undefined {
  const isForFramework = artifact.endsWith('register.js')
  const fits = replacesFastify(script) === replacesFastify(artifact)
  if (fits && script.includes(isForFramework ? '.framework/register.js' : '.framework/fastify.mjs'))
    return script
  const rest = script.replace(REPLACES, '')
  if (ARTIFACT.test(rest)) return rest.replace(ARTIFACT, `--import ${artifact}`)
  // Deployments are in `.framework/` too.
  return rest.includes('.framework/') ? script : preload(rest, artifact, hasCrossEnv)
}

/** Returns true if a script runs one of the files with Node, or pm2 with a configuration, which probably runs one of them. */
export function runs(script: string, files: readonly string[]): boolean {
  return stepsOf(script).some((step) => {
    if (!NODE.test(step.command) && !STARTS_NODE.test(step.command)) return false
    const named = modulesOf(step).map((file) => file.replace(/^\.\//, ''))
    return named.some((file) => files.includes(file) || /(?:^|\/)ecosystem\.config\./.test(file))
  })
}

/** Programs that pack or deploy an application, or build several packages. */
const PACKS =
  /^\s*(?:(?:npx|yarn|exec|cross-env|pnpm(?:\s+exec)?)\s+|[A-Za-z_]\w*=\S*\s+)*(?:docker(?:-compose)?|podman|buildah|kubectl|helm|sam|cdk|serverless|sls|terraform|gcloud|aws|az|fly|flyctl|heroku|vercel|netlify|wrangler|zip|tar|make|turbo|nx|lerna)(?=\s|$)/

/** Returns true if nothing can be appended to a build script: it has used the files by then, or doesn't end. */
export function packs(script: string): boolean {
  return (
    commandsOf(script).some((one) => PACKS.test(one)) || /\s(?:--watch|-w)(?=\s|$)/.test(script)
  )
}

/** Returns true if a script runs tests of `node:test`. */
export function runsNodeTest(script: string): boolean {
  return /\b(?:node|tsx)\b.*\s--test\b/.test(script)
}

/** Returns true if a script runs a program by its name. */
export function runsProgram(script: string, name: string): boolean {
  return commandsOf(script).some((one) => one.split(/\s+/).includes(name))
}

/** Returns true if a script restarts a program when files change. */
export function watches(script: string): boolean {
  return /(?:^|\s)(?:nodemon|ts-node-dev|tsx\s+watch|pm2-dev|\S+\s.*--watch)(?=\s|$)/.test(script)
}

/** Returns the name of the script that builds the application: `build`, or another one that `start` runs first. */
export function buildScriptOf(scripts: Readonly<Record<string, string>>): string {
  const [, name = ''] =
    /^\s*(?:npm|pnpm|yarn)(?:\s+run)?\s+([\w:-]+)\s*&&/.exec(scripts['start'] ?? '') ?? []
  return scripts['build'] === undefined && /\btsc\b/.test(scripts[name] ?? '') ? name : 'build'
}

/** Flags of Node that preload a module. */
const LOADS_BEFORE = /^(?:--import|--require|-r|--(?:experimental-)?loader)$/

/** Returns the modules that a script names, relative to the package, without those that flags preload. */
export function filesIn(script: string): readonly string[] {
  return stepsOf(script).flatMap(modulesOf)
}

function modulesOf({ command, folder }: Step): readonly string[] {
  if (folder === undefined) return []
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words
    .filter((_, index) => !LOADS_BEFORE.test(words[index - 1] ?? ''))
    .map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
    .filter((word) => /^(?!-)[^=]*\.[cm]?[jt]sx?$/.test(word))
    .map((word) => (folder === '' ? word : posix.join(folder, word)))
}

/** Quotes a path for a shell. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`
}
