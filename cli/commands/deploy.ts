import { targetOf } from '../../compiler/5-artifact/read/reader.ts'
import type { CompileCacheOptions } from '../../compiler/deploy/start/compile-cache.ts'
import { platforms, targets } from '../../compiler/deploy/targets/index.ts'
import type { Target } from '../../compiler/deploy/targets/index.ts'
import type { Call, Command, Values } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import { entryFor } from '../entry.ts'
import { addToGitignore } from '../gitignore.ts'
import type { Outcome } from '../output.ts'
import { usageError } from '../parse.ts'
import { compilerOptions, readCompilerOptions } from './compiler-options.ts'

const options = {
  target: {
    type: 'string',
    short: 't',
    value: 'target',
    choices: targets,
    summary: `the platform to write for: ${targets.join(', ')}`,
  },
  out: {
    type: 'string',
    short: 'o',
    value: 'dir',
    summary: 'folder to write to (default: .framework/deploy/<target> beside package.json)',
  },
  external: {
    type: 'string',
    multiple: true,
    value: 'package',
    summary: 'copy this package as it is instead of bundling it; may be repeated',
  },
  include: {
    type: 'string',
    multiple: true,
    value: 'path',
    summary: 'add this file or folder; may be repeated',
  },
  with: {
    type: 'string',
    multiple: true,
    value: 'package',
    summary: 'add this package, which the runtime loads on demand; may be repeated',
  },
  'keep-schemas': {
    type: 'boolean',
    summary: 'leave the schemas in the application as they are written',
  },
  'no-chunks': {
    type: 'boolean',
    summary: 'keep the validators and serializers of large applications in the main file',
  },
  'late-boot': {
    type: 'boolean',
    summary: 'boot a Worker for its first request, not when it starts',
  },
  'compile-cache': {
    type: 'boolean',
    summary: 'start the deployment once, and keep what Node compiles (Node 22.8 and later)',
  },
  node: {
    type: 'string',
    value: 'path',
    summary: 'the Node.js that will run it (default: this one)',
  },
  'node-flag': {
    type: 'string',
    multiple: true,
    value: 'flag',
    summary: 'a flag that it will be started with; may be repeated',
  },
  user: {
    type: 'string',
    value: 'id',
    summary: 'id of the user that it will run as (default: this user)',
  },
  analyze: {
    type: 'boolean',
    summary: 'measure what the start costs, and write a page about it and the code',
  },
  ...compilerOptions,
} as const

export const deploy: Command = defineCommand({
  name: 'deploy',
  summary: 'build, and write a folder that starts where nothing is installed',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [given], output }: Call<typeof options>): Promise<Outcome> {
  const { out, external, include, with: onDemand, 'late-boot': lateBoot } = values
  const read = readCompilerOptions(values)
  const target = targets.find((one) => one === values.target)
  if (target === undefined)
    throw usageError(`Name the platform: \`--target\` takes ${targets.join(', ')}.`, deploy)
  const cache = compileCacheOptions(values, target)
  // `--out` is the folder of the deployment. The artifact of the last build is in the default one.
  const entry = await entryFor(given, undefined)
  const [{ deploy: run }, text, { deploymentText }] = await Promise.all([
    import('../../compiler/deploy/index.ts'),
    import('../text/problems.ts'),
    import('../text/deployment.ts'),
  ])
  const progress = output.progress()
  const keepSchemas = values['keep-schemas']
  // No size is large enough to load functions on demand.
  const filesFrom = values['no-chunks'] ? Infinity : undefined
  const analyze = values.analyze ? await import('../page/analysis.ts') : undefined
  const more = { external, include, with: onDemand, keepSchemas, filesFrom, lateBoot, analyze }
  const line = targetOf(undefined, entry)
  const requested = { ...read, ...cache, entry, line, out, ...more }
  const result = await run({ ...requested, target }, progress.show)
  progress.clear()
  const { diagnostics, deployment } = result
  if (deployment === undefined) return text.failedBuild(result, read, output.paintError)
  const addition = await addToGitignore(deployment, platforms[target].gitignored)
  const warnings = [...result.warnings, ...addition.warnings]
  const { analysis } = deployment
  const shown = {
    ...deployment,
    out: text.shownPath(deployment.out),
    analysis: analysis && { ...analysis, page: text.shownPath(analysis.page) },
  }
  return {
    ok: true,
    diagnostics,
    warnings,
    result: shown,
    problems: text.warningsText(warnings, output.paintError),
    report: deploymentText(shown, target, addition.text, result.options.factory),
  }
}

/** @throws UsageError */
function compileCacheOptions(
  {
    'compile-cache': compileCache = false,
    'node-flag': nodeFlags,
    node,
    user,
  }: Values<typeof options>,
  target: Target,
): CompileCacheOptions {
  if (compileCache && target !== 'node')
    throw usageError('`--compile-cache` is for `--target node`.', deploy)
  if (user !== undefined && !/^\d+$/.test(user))
    throw usageError('`--user` takes the id of a user.', deploy)
  return {
    compileCache,
    nodeFlags,
    node,
    user: user === undefined ? undefined : Number(user),
  }
}
