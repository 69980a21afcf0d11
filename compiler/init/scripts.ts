/** Reads and changes the commands of package.json. */

/** Programs that take Node's flags, behind variables and what starts them. */
const NODE =
  /^(\s*(?:(?:npx|yarn|exec|cross-env|pnpm(?:\s+exec)?)\s+|[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)*(?:node|tsx(?:\s+watch)?))(?=\s|$)/

/** Programs that start Node themselves, which reads `NODE_OPTIONS`. */
const STARTS_NODE =
  /(?:^|\s)(?:nodemon|ts-node(?:-dev|-esm)?|fastify|pm2(?:-runtime|-dev)?|swc-node|esno)(?=\s|$)/

/** Commands of one script, with what joins them. */
function commandsOf(script: string): string[] {
  return script.split(/(\s*(?:&&|\|\||;)\s*)/)
}

/** The last that runs a program, as `[position, command]`. */
function findLast(
  commands: readonly string[],
  isIt: (command: string) => boolean,
): number | undefined {
  const position = commands.findLastIndex(isIt)
  return position === -1 ? undefined : position
}

/**
 * Lets Node load a module before the program that a script runs.
 *
 * @param hasCrossEnv whether cross-env is there to set variables on every system
 * @returns `undefined` when it is not known how
 */
export function preload(script: string, module: string, hasCrossEnv: boolean): string | undefined {
  const commands = commandsOf(script)
  const direct = findLast(commands, (one) => NODE.test(one))
  if (direct !== undefined) {
    commands[direct] = (commands[direct] as string).replace(NODE, `$1 --import ${module}`)
    return commands.join('')
  }
  const other = findLast(commands, (one) => STARTS_NODE.test(one))
  if (other === undefined || script.includes('NODE_OPTIONS')) return undefined
  const setting = hasCrossEnv
    ? `cross-env NODE_OPTIONS="--import ${module}"`
    : `NODE_OPTIONS='--import ${module}'`
  commands[other] = `${setting} ${(commands[other] as string).replace(/^cross-env /, '')}`
  return commands.join('')
}

/** Whether one of a script's commands runs one of these files by Node, or what pm2 is configured to run. */
export function runs(script: string, files: readonly string[]): boolean {
  return commandsOf(script).some((one) => {
    if (!NODE.test(one) && !STARTS_NODE.test(one)) return false
    const named = filesIn(one).map((file) => file.replace(/^\.\//, ''))
    return named.some((file) => files.includes(file) || /(?:^|\/)ecosystem\.config\./.test(file))
  })
}

/** Whether a script starts a program again when files change. */
export function watches(script: string): boolean {
  return /(?:^|\s)(?:nodemon|ts-node-dev|tsx\s+watch|pm2-dev|\S+\s.*--watch)(?=\s|$)/.test(script)
}

/** Flags of Node with a module that is loaded before what runs. */
const LOADS_BEFORE = /^(?:--import|--require|-r|--(?:experimental-)?loader)$/

/** The files that a script names, in their order: what it may run. */
export function filesIn(script: string): readonly string[] {
  const words = script.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words
    .filter((_, index) => !LOADS_BEFORE.test(words[index - 1] ?? ''))
    .map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
    .filter((word) => /^[^-=]*\.[cm]?[jt]sx?$/.test(word))
}

/** As a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`
}
