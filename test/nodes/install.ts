import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { installOnce } from '../conformance/install.ts'

/** The newest release of a major that npm has for this platform, installed once into the temporary directory. */
export function nodeBinary(major: string): string {
  const system = platform() === 'win32' ? 'win' : platform()
  const name = `node-${system}-${arch()}`
  const folder = join(process.env['PEER_CACHE'] ?? join(tmpdir(), 'peer-cache'), `node-${major}`)
  installOnce(folder, { dependencies: { [name]: `^${major}.0.0` } }, () => {})
  return join(folder, 'node_modules', name, 'bin', 'node')
}
