/** `npm run bench:size [-- --save]`: measures the size and number of packages of a production installation. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bytesIn, temporaryFolder, thisProcess } from '../support/folders.ts'
import { pack } from '../support/packed.ts'
import { saveFigures } from './figures.ts'

const { values } = parseArgs({ options: { save: { type: 'boolean', default: false } } })
const { runtime } = pack(thisProcess)

/** Packages of each contestant, including those for validation and logging, which Fastify comes with. */
const contestants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'fastify 4.21': { fastify: '4.21.0' },
  'fastify 5.12': { fastify: '5.12.8' },
  'hono, ajv, pino': {
    '@hono/node-server': '2',
    ajv: '8',
    'ajv-formats': '3',
    hono: '4',
    pino: '10',
  },
  framework: { framework: runtime },
}

const bars = Object.entries(contestants).map(([name, dependencies]) => {
  const folder = temporaryFolder(thisProcess)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const flags = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--silent']
  execFileSync('npm', ['install', ...flags], { cwd: folder })
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: object
  }
  const value = Number((bytesIn(join(folder, 'node_modules')) / 1e6).toFixed(1))
  return { name, value, packages: Object.keys(lock.packages).length - 1 }
})
console.table(bars)
if (values.save) {
  saveFigures('install-size', {
    title: 'A production installation',
    unit: 'MB, less is better',
    command: 'npm run bench:size -- --save',
    groups: [{ label: '', bars: bars.map(({ name, value }) => ({ name, value })) }],
  })
}
