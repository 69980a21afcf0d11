import { targetOf } from '../../compiler/5-artifact/read/reader.ts'
import { replacesFastify } from '../../compiler/servers/detect.ts'
import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import type { Outcome } from '../output.ts'
import { readWritingOptions, writingOptions } from './compiler-options.ts'

const options = {
  exec: {
    type: 'string',
    value: 'command',
    summary: 'command that runs the entry in place of node, such as "tsx"',
  },
  import: {
    type: 'string',
    multiple: true,
    value: 'module',
    summary: 'a module that Node loads before the application; may be repeated',
  },
  port: {
    type: 'string',
    short: 'p',
    value: 'port',
    summary: 'value of PORT for the application',
  },
  inspect: { type: 'boolean', summary: 'let a debugger connect, at port 9229' },
  watch: {
    type: 'string',
    multiple: true,
    value: 'path',
    summary: 'a further file or folder whose changes restart the application; may be repeated',
  },
  ignore: {
    type: 'string',
    multiple: true,
    value: 'path',
    summary: 'a file or folder whose changes are ignored; may be repeated',
  },
  ...writingOptions,
  'env-file': {
    type: 'string',
    multiple: true,
    value: 'file',
    summary: 'environment variables for the build and the application; may be repeated',
  },
} as const

export const dev: Command = defineCommand({
  name: 'dev',
  otherNames: ['start', 'serve', 'watch', 'run'],
  summary: 'build and run an application, again whenever its files change',
  takes: [entryArgument],
  rest: { name: 'argument', summary: 'passed to the application in process.argv' },
  options,
  run,
})

async function run({ values, args, rest, output }: Call<typeof options>): Promise<Outcome> {
  const requested = await readWritingOptions(values, args[0])
  // `--import framework/fastify` serves the application with this package in place of Fastify.
  const line = values.import?.some(replacesFastify)
    ? 'framework'
    : (requested.line ?? targetOf(requested.out, requested.entry))
  const { develop } = await import('../dev/index.ts')
  await develop({ ...requested, boot: requested.boot && 'whenNeeded', line }, values, rest, output)
  return { ok: true }
}
