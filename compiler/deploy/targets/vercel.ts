import { OWN } from '../own.ts'
import { callsFunctions } from './function.ts'
import type { Platform } from './platform.ts'

const FUNCTION = 'application'
const FOLDER = '.vercel'
const OUT = `${FOLDER}/output`
const PROGRAM = `functions/${FUNCTION}.func`

/** Vercel; and in the folder of its function, whatever else calls one with a request and a response of Node. */
export const vercel: Platform = {
  ...callsFunctions({
    from: `${OWN}runtime`,
    imports: ['toNodeHandler'],
    functions: { default: 'toNodeHandler(app)', handler: 'toNodeHandler(app)' },
  }),
  out: OUT,
  // As `vercel link` does, which may not have been run yet.
  ignored: FOLDER,
  program: PROGRAM,
  settings: () => ({
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
  start: (out) =>
    out === OUT ? 'vercel deploy --prebuilt' : `vercel deploy --prebuilt, where ${out} is ${OUT}`,
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
