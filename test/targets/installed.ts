/** The binaries of other runtimes that npm has for this platform, installed once into the temporary directory. */
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'

export function denoBinary(): string {
  const libc = platform() === 'linux' ? '-glibc' : ''
  return join(installed(`@deno/${platform()}-${arch()}${libc}`, '2.9.6'), 'deno')
}

export function bunBinary(): string {
  return join(installed(`@oven/bun-${platform()}-${arch()}`, '1.4.5'), 'bin/bun')
}

/** The newest release of a major of Node. */
export function nodeBinary(major: string): string {
  const system = platform() === 'win32' ? 'win' : platform()
  const name = `node-${system}-${arch()}`
  return join(installed(name, `^${major}.0.0`, {}, `node-${major}`), 'bin/node')
}

/** The folder of a package; beside it lie the others. */
export function installed(
  name: string,
  version: string,
  others: Readonly<Record<string, string>> = {},
  place: string = name.replace(/\W+/g, '-').replace(/^-/, ''),
): string {
  const folder = join(cacheDir, place)
  installOnce(folder, { dependencies: { [name]: version, ...others } }, () => {})
  return join(folder, 'node_modules', name)
}
