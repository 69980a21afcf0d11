/** Other frameworks, installed once into the temporary directory. */
import { build } from 'esbuild'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installOnce } from '../../conformance/install.ts'

/** The newest releases of these majors, at the time that they are installed. */
export const packages = {
  fastify: '^5.12.8',
  hono: '^4.13.19',
  '@hono/node-server': '^2.1.8',
  '@hono/typebox-validator': '^0.3.3',
  '@sinclair/typebox': '0.34.52',
}

/** Where they are installed: what lies below imports them by their names. */
export function peerFolder(): string {
  const folder = join(process.env['PEER_CACHE'] ?? join(tmpdir(), 'peer-cache'), 'deploy')
  installOnce(folder, { dependencies: packages }, () => {})
  return folder
}

/** Joins a program and its packages to one CommonJS file, as small as can be. */
export async function bundlePeer(entry: string): Promise<string> {
  const outfile = entry.replace(/\.mjs$/, '.bundle.cjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  })
  return outfile
}
