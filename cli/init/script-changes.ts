/** Adds building and preloading to the scripts of package.json, keeping what they already do. */
import { configuredRunners } from './project-info.ts'
import { setMember } from './json-text.ts'
import type { Draft, PackageJson } from './package-json.ts'
import {
  buildScriptOf,
  packs,
  pathAfter,
  preload,
  preloadArtifact,
  quoted,
  runs,
  runsNodeTest,
  watches,
} from './scripts.ts'
import type { Serving } from './serving.ts'
import type { Starting } from './starting.ts'

const DEVELOPMENT = 'framework/development'

export function addScripts(
  draft: Draft,
  { scripts, allDependencies }: PackageJson,
  { found, isByCli }: Starting,
  { line, isOurs, isReplaced }: Serving,
  artifact: string,
): void {
  const { entry, program, listens, runners, testRunners } = found
  if (entry === undefined || program === undefined) return
  const hasCrossEnv = 'cross-env' in allDependencies
  const target = isOurs ? '' : ` --server ${line}`
  const set = (name: string, command: string): void => {
    draft.text = setMember(draft.text, ['scripts', name], command)
    draft.changes.push(`scripts: ${name}: ${command}`)
  }
  /** Sets a script to a command, or says what to do by hand if the script isn't understood. */
  const change = (name: string, command: string | undefined, flag: string, or = ''): void => {
    if (command === undefined)
      draft.notes.push(
        `The script \`${name}\` is left as it is: give Node the flag \`--import ${flag}\` there${or}.`,
      )
    else if (command !== scripts[name]) set(name, command)
  }

  const { start, dev, test } = scripts
  const buildName = buildScriptOf(scripts)
  const build = scripts[buildName]
  const buildCommand = `framework build ${quoted(entry)}${target}`
  // `start` runs tsc's output for the entry.
  const isCompiled = program !== entry
  if (build === undefined) set(buildName, isCompiled ? `tsc && ${buildCommand}` : buildCommand)
  else if (packs(build)) {
    if (!build.includes('framework build'))
      draft.notes.push(
        `The script \`${buildName}\` packs the application, and is left as it is: run \`${buildCommand}\` before that.`,
      )
  } else if (!build.includes('framework build')) {
    const from = pathAfter(build, entry)
    if (from === undefined)
      draft.notes.push(
        `The script \`${buildName}\` is left as it is: run \`${buildCommand}\` after it.`,
      )
    else set(buildName, `${build} && framework build ${quoted(from)}${target}`)
  }

  if (build === undefined && isCompiled && !('typescript' in allDependencies))
    draft.notes.push('The script `build` runs tsc: install typescript as a development dependency.')

  if (start === undefined) {
    // Without compiled output, the script runs the entry itself.
    const node =
      program === entry && /\.[cm]?tsx?$/.test(entry) && runners.includes('tsx') ? 'tsx' : 'node'
    const command = `${node} --import ${artifact} ${quoted(program)}`
    const byCli = isByCli
      ? preload(`fastify start ${quoted(program)}`, artifact, hasCrossEnv)
      : undefined
    if (listens) set('start', command)
    else if (byCli !== undefined) set('start', byCli)
    else
      draft.notes.push(
        `Nothing here starts the application: start it with \`--import ${artifact}\` among the flags of Node.`,
      )
  } else change('start', preloadArtifact(start, artifact, hasCrossEnv), artifact)

  if (dev === undefined) {
    set('dev', `framework dev ${quoted(entry)}${target}`)
    if (/\.[cm]?tsx?$/.test(entry) && !runners.includes('tsx'))
      draft.notes.push(
        `The script \`dev\` runs TypeScript${program === entry ? ', and so does `start`' : ''}. Node does so from 22.18 on; for Node 20 install tsx as a development dependency.`,
      )
  }
  const compiles = isOurs && !isReplaced
  const devLacksFramework = dev !== undefined && !/framework\b/.test(dev)
  if (devLacksFramework && compiles) {
    const command = preload(dev, DEVELOPMENT, hasCrossEnv)
    change('dev', command, DEVELOPMENT, ', or let it be `framework dev`')
  }
  const testLacksFramework = test !== undefined && !test.includes('framework')
  if (testLacksFramework && compiles && runsNodeTest(test)) {
    const command = preload(test, DEVELOPMENT, hasCrossEnv)
    if (command !== undefined) set('test', command)
  }
  const hasTests =
    testLacksFramework && testRunners.some((runner) => !(runner in configuredRunners))
  if (isReplaced && (devLacksFramework || hasTests)) {
    const names = [devLacksFramework && '`dev`', hasTests && '`test`'].filter(Boolean)
    draft.notes.push(
      `${names.join(' and ')} still run${names.length === 1 ? 's' : ''} Fastify itself: give Node the flags \`--import framework/fastify --import ${DEVELOPMENT}\` there${devLacksFramework ? ', or let `dev` be `framework dev`' : ''}.`,
    )
  }

  for (const [name, script] of Object.entries(scripts)) {
    const isDone = ['start', 'dev', 'build', 'test'].includes(name) || script.includes(DEVELOPMENT)
    if (isDone || !runs(script, [entry, program])) continue
    const isWatched = compiles && watches(script)
    const command = isWatched
      ? preload(script, DEVELOPMENT, hasCrossEnv)
      : preloadArtifact(script, artifact, hasCrossEnv)
    if (command === script) continue
    const flag = `--import ${isWatched ? DEVELOPMENT : artifact}`
    const how = command === undefined ? `give Node the flag \`${flag}\`` : `\`${command}\``
    draft.notes.push(
      `The script \`${name}\` starts the application as well, and is left as it is. There it needs ${isWatched ? 'the compiler' : 'the artifact'}: ${how}.`,
    )
  }
}
