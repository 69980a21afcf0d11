/** Platforms that call functions in a process of Node.js instead of connecting to a socket. */
import { VIRTUAL } from '../virtual.ts'
import { moduleKindOf } from '../../util/module-kind.ts'
import { asMain, importsOf, isIdentifier } from './entry.ts'
import type { Platform } from './platform.ts'
import { node } from './processes.ts'

const lambdaMakers = { handler: 'toLambda', streaming: 'toStreamingLambda' }
const lambdaNames = [...Object.keys(lambdaMakers), 'default']
const lambdaFunctions = callsFunctions('framework/lambda', lambdaMakers)

/** AWS Lambda, behind API Gateway, a function URL or a load balancer. Every export of the entry may be the handler of another function. */
export const lambda: Platform = {
  ...lambdaFunctions,
  main(entry) {
    const { file, functions } = entry
    const others = functions.filter((name) => !lambdaNames.includes(name) && isIdentifier(name))
    const reexports =
      moduleKindOf(file) === 'module'
        ? [`export * from ${JSON.stringify(file)}`]
        : others.map((name) => `export const ${name} = entry.${name}`)
    return `${lambdaFunctions.main.call(this, entry)}${reexports.join('\n')}\n`
  },
  calls: ['handler'],
  loadLogger: () => `() => require('${VIRTUAL}deployed').loadLambdaLogger(() => require('pino'))`,
  startCommand: (out) =>
    `(cd ${out} && zip -qr ../lambda.zip . -x '*.map'), with the handler index.handler`,
}

const FUNCTION = 'application'
const FOLDER = '.vercel'
const OUT = `${FOLDER}/output`
const PROGRAM = `functions/${FUNCTION}.func`

/** Vercel. The folder of its function works on other platforms that call one with Node's request and response. */
export const vercel: Platform = {
  ...callsFunctions(`${VIRTUAL}deployed`, { default: 'toNodeHandler', handler: 'toNodeHandler' }),
  out: OUT,
  // As `vercel link` does, which may not have run yet.
  gitignored: FOLDER,
  programFolder: PROGRAM,
  configFiles: () => ({
    'config.json': json({
      version: 3,
      routes: [{ handle: 'filesystem' }, { src: '/.*', dest: `/${FUNCTION}` }],
    }),
    [`${PROGRAM}/.vc-config.json`]: json({
      runtime: 'nodejs24.x',
      handler: 'index.js',
      launcherType: 'Nodejs',
      shouldAddHelpers: false,
      supportsResponseStreaming: true,
    }),
  }),
  startCommand: (out) =>
    out === OUT ? 'vercel deploy --prebuilt' : `vercel deploy --prebuilt, where ${out} is ${OUT}`,
}

/**
 * The application boots before the first call. An entry that exports a name which the platform calls serves it itself.
 *
 * @param from the module that makes functions from an application
 * @param makers its exports, by the names that the main module exports
 */
function callsFunctions(from: string, makers: Readonly<Record<string, string>>): Platform {
  const members = Object.entries(makers).map(([name, make]) => `${name}: ${make}(app)`)
  const names = Object.keys(makers)
  return {
    ...node,
    // Only ES modules can wait for the application.
    format: 'es',
    hasConnections: () => false,
    prelude: (entry) => `import { interceptListen } from '${VIRTUAL}deployed'
import { ${[...new Set(Object.values(makers))].join(', ')} } from '${from}'
export const functionsFor = (app) => ({ app, functions: { ${members.join(', ')} } })
export const listening = interceptListen(true, functionsFor)
${asMain(entry)}`,
    main(entry) {
      const options = `{ entry, start: ${JSON.stringify(entry.start)}, functionsFor, listening, create: framework }`
      const own = this.calls.map((name) => `'${name}' in entry ? entry : `).join('')
      return `${importsOf(entry, 'functionsOf')}import { functionsFor, listening } from '${VIRTUAL}prelude'
const functions = ${own}await functionsOf(${options})
${names.map((name, at) => `const function${at} = functions.${name}`).join('\n')}
export { ${names.map((name, at) => `function${at} as ${name}`).join(', ')} }
`
    },
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
