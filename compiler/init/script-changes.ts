/** Adds building and preloading to the scripts of package.json, keeping what they already do. */
import type { Line } from '../../runtime/artifact/lines.ts'
import type { Draft } from './draft.ts'
import { setMember } from './json-text.ts'
import type { PackageJson } from './package-json.ts'
import { packs, preload, quoted, runs, watches } from './scripts.ts'
import type { Starting } from './starting.ts'

const ARTIFACT = '.framework'

/** Returns the modules that Node loads first: that of the artifact, after the one that replaces Fastify 5. */
export function artifactFor(line: Line, isReplaced: boolean): string {
  const module = (name: string): string => `./${ARTIFACT}/${name}`
  if (line === 'framework') return module('register.js')
  return isReplaced ? `framework/fastify --import ${module('register.js')}` : module('fastify.mjs')
}

export function addScripts(
  draft: Draft,
  { scripts, allDependencies }: PackageJson,
  { found, isByCli }: Starting,
  line: Line,
  artifact: string,
): void {
  const { entry, program, listens, runners } = found
  if (entry === undefined || program === undefined) return
  const hasCrossEnv = 'cross-env' in allDependencies
  const target = line === 'framework' ? '' : ` --target ${line}`
  const set = (name: string, command: string): void => {
    draft.text = setMember(draft.text, ['scripts', name], command)
    draft.changes.push(`scripts: ${name}: ${command}`)
  }

  const { build, start, dev } = scripts
  const own = `framework build ${quoted(entry)}${target}`
  // The script runs tsc's output for the entry.
  const compiles = program !== entry
  if (build === undefined) set('build', compiles ? `tsc && ${own}` : own)
  else if (packs(build)) {
    if (!build.includes('framework build'))
      draft.notes.push(
        `The script \`build\` packs the application, and is left as it is: run \`${own}\` before that.`,
      )
  } else if (!build.includes('framework build')) set('build', `${build} && ${own}`)

  if (build === undefined && compiles && !('typescript' in allDependencies))
    draft.notes.push('The script `build` runs tsc: install typescript as a development dependency.')

  if (start === undefined) {
    // Run files that aren't compiled as they are.
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
  } else if (!start.includes(`${ARTIFACT}/`)) {
    const command = preload(start, artifact, hasCrossEnv)
    if (command !== undefined) set('start', command)
    else
      draft.notes.push(
        `The script \`start\` is left as it is: give Node the flag \`--import ${artifact}\` there.`,
      )
  }

  if (dev === undefined) {
    set('dev', `framework dev ${quoted(entry)}${target}`)
    if (/\.[cm]?tsx?$/.test(entry) && !runners.includes('tsx'))
      draft.notes.push(
        `The script \`dev\` runs TypeScript${program === entry ? ', and so does `start`' : ''}. Node does so from 22.18 on; for Node 20 install tsx as a development dependency.`,
      )
  }
  if (dev !== undefined && line === 'framework' && !/framework\b/.test(dev)) {
    const command = preload(dev, 'framework/development', hasCrossEnv)
    if (command !== undefined) set('dev', command)
    else
      draft.notes.push(
        'The script `dev` is left as it is: give Node the flag `--import framework/development` there, or let it be `framework dev`.',
      )
  }
  const { test } = scripts
  if (
    line === 'framework' &&
    test !== undefined &&
    /\bnode\b.*\s--test\b/.test(test) &&
    !test.includes('framework')
  ) {
    const command = preload(test, 'framework/development', hasCrossEnv)
    if (command !== undefined) set('test', command)
  }

  for (const [name, script] of Object.entries(scripts)) {
    const isDone = ['start', 'dev', 'build', 'test'].includes(name) || /framework\b/.test(script)
    if (isDone || !runs(script, [entry, program])) continue
    const isWatched = line === 'framework' && watches(script)
    const module = isWatched ? 'framework/development' : artifact
    const command = preload(script, module, hasCrossEnv)
    const how =
      command === undefined ? `give Node the flag \`--import ${module}\`` : `\`${command}\``
    draft.notes.push(
      `The script \`${name}\` starts the application as well, and is left as it is. There it needs the artifact: ${how}.`,
    )
  }
}
