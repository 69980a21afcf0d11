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
  packageJson: PackageJson,
  starting: Starting,
  serving: Serving,
  artifact: string,
): void {
  const { entry, program } = starting.found
  if (entry === undefined || program === undefined) return
  const { line, isOurs, isReplaced } = serving
  const project: Project = {
    ...packageJson,
    ...starting,
    draft,
    entry,
    program,
    artifact,
    server: isOurs ? '' : ` --server ${line}`,
    hasCrossEnv: 'cross-env' in packageJson.allDependencies,
    compiles: isOurs && !isReplaced,
    isReplaced,
  }
  addBuild(project)
  addStart(project)
  addDev(project)
  addTest(project)
  noteReplaced(project)
  noteOthers(project)
}

interface Project
  extends
    Pick<PackageJson, 'scripts' | 'allDependencies'>,
    Pick<Starting, 'found' | 'isByCli'>,
    Pick<Serving, 'isReplaced'> {
  readonly draft: Draft
  readonly entry: string
  /** The file that runs: the entry, or the output of `tsc` for it. */
  readonly program: string
  /** The module that Node preloads. */
  readonly artifact: string
  /** The option that names the server. */
  readonly server: string
  readonly hasCrossEnv: boolean
  /** True if `framework/development` compiles for scripts that have no artifact. */
  readonly compiles: boolean
}

function set({ draft }: Project, name: string, command: string): void {
  draft.text = setMember(draft.text, ['scripts', name], command)
  draft.changes.push(`scripts: ${name}: ${command}`)
}

/** Sets a script to a command, or says what to do by hand if the script isn't understood. */
function change(
  project: Project,
  name: string,
  command: string | undefined,
  flag: string,
  or = '',
): void {
  if (command === undefined)
    project.draft.notes.push(
      `The script \`${name}\` is left as it is: give Node the flag \`--import ${flag}\` there${or}.`,
    )
  else if (command !== project.scripts[name]) set(project, name, command)
}

function addBuild(project: Project): void {
  const { draft, scripts, allDependencies, entry, program, server } = project
  const name = buildScriptOf(scripts)
  const build = scripts[name]
  const command = `framework build ${quoted(entry)}${server}`
  if (build === undefined) {
    const isCompiled = program !== entry
    set(project, name, isCompiled ? `tsc && ${command}` : command)
    if (isCompiled && !('typescript' in allDependencies))
      draft.notes.push(
        'The script `build` runs tsc: install typescript as a development dependency.',
      )
    return
  }
  if (build.includes('framework build')) return
  if (packs(build)) {
    draft.notes.push(
      `The script \`${name}\` packs the application, and is left as it is: run \`${command}\` before that.`,
    )
    return
  }
  const from = pathAfter(build, entry)
  if (from === undefined)
    draft.notes.push(`The script \`${name}\` is left as it is: run \`${command}\` after it.`)
  else set(project, name, `${build} && framework build ${quoted(from)}${server}`)
}

function addStart(project: Project): void {
  const { draft, scripts, found, isByCli, artifact, hasCrossEnv, entry, program } = project
  if (scripts['start'] !== undefined) {
    change(project, 'start', preloadArtifact(scripts['start'], artifact, hasCrossEnv), artifact)
    return
  }
  const byCli = isByCli
    ? preload(`fastify start ${quoted(program)}`, artifact, hasCrossEnv)
    : undefined
  // Without compiled output, the script runs the entry itself.
  const runsTypeScript = program === entry && /\.[cm]?tsx?$/.test(entry)
  const node = runsTypeScript && found.runners.includes('tsx') ? 'tsx' : 'node'
  if (found.listens) set(project, 'start', `${node} --import ${artifact} ${quoted(program)}`)
  else if (byCli !== undefined) set(project, 'start', byCli)
  else
    draft.notes.push(
      `Nothing here starts the application: start it with \`--import ${artifact}\` among the flags of Node.`,
    )
}

function addDev(project: Project): void {
  const { draft, scripts, found, entry, program, server, hasCrossEnv } = project
  const { dev } = scripts
  if (dev === undefined) {
    set(project, 'dev', `framework dev ${quoted(entry)}${server}`)
    if (/\.[cm]?tsx?$/.test(entry) && !found.runners.includes('tsx'))
      draft.notes.push(
        `The script \`dev\` runs TypeScript${program === entry ? ', and so does `start`' : ''}. Node does so from 22.18 on; for Node 20 install tsx as a development dependency.`,
      )
  } else if (project.compiles && devLacksFramework(project)) {
    const command = preload(dev, DEVELOPMENT, hasCrossEnv)
    change(project, 'dev', command, DEVELOPMENT, ', or let it be `framework dev`')
  }
}

function devLacksFramework({ scripts: { dev } }: Project): boolean {
  return dev !== undefined && !/framework\b/.test(dev)
}

function addTest(project: Project): void {
  const { test } = project.scripts
  if (!project.compiles || test === undefined) return
  if (test.includes('framework') || !runsNodeTest(test)) return
  const command = preload(test, DEVELOPMENT, project.hasCrossEnv)
  if (command !== undefined) set(project, 'test', command)
}

/** Says where Fastify itself would still serve. */
function noteReplaced(project: Project): void {
  if (!project.isReplaced) return
  const { test } = project.scripts
  const lacksDev = devLacksFramework(project)
  const lacksTests =
    test !== undefined &&
    !test.includes('framework') &&
    project.found.testRunners.some((runner) => !(runner in configuredRunners))
  const names = [lacksDev && '`dev`', lacksTests && '`test`'].filter(Boolean)
  if (names.length === 0) return
  project.draft.notes.push(
    `${names.join(' and ')} still run${names.length === 1 ? 's' : ''} Fastify itself: give Node the flags \`--import framework/fastify --import ${DEVELOPMENT}\` there${lacksDev ? ', or let `dev` be `framework dev`' : ''}.`,
  )
}

/** Says what other scripts that start the application need. */
function noteOthers({
  draft,
  scripts,
  entry,
  program,
  artifact,
  compiles,
  hasCrossEnv,
}: Project): void {
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
