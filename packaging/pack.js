/**
 * Makes the tarballs that are published, and prints their paths: `node packaging/pack.js [folder]`.
 *
 * The runtime's package.json is that of this repository, without its scripts and development dependencies: they are of no use to
 * whoever installs it, and npm asks that person whether the scripts may run. Its code names no source maps.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'

const [folder = '.'] = process.argv.slice(2)
const notPublished = ['private', 'scripts', 'devDependencies']

/** Gives the paths of the tarballs. */
function pack(packages, to) {
  const args = ['pack', ...packages, '--ignore-scripts', '--json', '--pack-destination', to]
  const output = execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output).map(({ filename }) =>
    join(to, filename.replace(/^@/, '').replace('/', '-')),
  )
}

/** The package has no source maps, for its size: tools that look for them would say that there are none. */
function forgetMap(file) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/\n\/\/# sourceMappingURL=[^\n]*\n?$/, '\n'))
}

const temporary = mkdtempSync(join(tmpdir(), 'framework-pack-'))
try {
  // npm knows what is to be in them.
  const [whole, compiler] = pack(['.', './dist'], temporary)
  execFileSync('tar', ['-xzf', whole, '-C', temporary])
  const file = join(temporary, 'package/package.json')
  const manifest = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
  const published = Object.fromEntries(manifest.filter(([name]) => !notPublished.includes(name)))
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`)
  const code = join(temporary, 'package/dist/package')
  for (const name of readdirSync(code, { recursive: true })) {
    if (/\.c?js$/.test(name)) forgetMap(join(code, name))
  }
  const [runtime] = pack([join(temporary, 'package')], resolve(folder))
  copyFileSync(compiler, join(folder, basename(compiler)))
  for (const made of [runtime, join(folder, basename(compiler))]) {
    process.stdout.write(`${relative('.', made)}\n`)
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
