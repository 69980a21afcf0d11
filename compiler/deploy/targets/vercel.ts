import { VIRTUAL } from '../virtual.ts'
import { callsFunctions } from './called-functions.ts'
import type { Platform } from './platform.ts'

const FUNCTION = 'application'
const FOLDER = '.vercel'
const OUT = `${FOLDER}/output`
const PROGRAM = `functions/${FUNCTION}.func`

/** Vercel. The folder of its function works on other platforms that call one with Node's request and response. */
export const vercel: Platform = {
  ...callsFunctions({
    from: `${VIRTUAL}runtime`,
    imports: ['toNodeHandler'],
    functions: { default: 'toNodeHandler(app)', handler: 'toNodeHandler(app)' },
  }),
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

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
