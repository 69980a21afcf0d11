/** A registry on this machine: it serves the packages of this checkout, and redirects to the usual one for all others. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Tarballs } from '../support/packed.ts'
import { type Lasting } from '../support/folders.ts'
import { root } from '../support/root.ts'

/** Starts it, for as long as `t` lasts; returns its URL. */
export async function startRegistry(t: Lasting, tarballs: Tarballs): Promise<string> {
  const published = [tarballs.runtime, tarballs.compiler, tarballs.fastify].map(read)
  const usual = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url

  function answer({ url: requested = '' }: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(requested.slice(1))
    const location = new URL(requested.slice(1), usual).href
    const data = published.find(({ file }) => file === path)?.data
    if (data !== undefined) response.end(data)
    else if (binaries.includes(path)) void forThisPlatform(location).then((one) => give(one))
    else {
      const named = published.find(({ manifest }) => manifest.name === path)
      if (named !== undefined) give(documentOf(named, url))
      else response.writeHead(302, { location }).end()
    }

    function give(document: object): void {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(document))
    }
  }
}

/** Packages that have one of their own for each platform. */
const binaries: readonly string[] = ['esbuild', 'oxc-minify', 'rollup']

/** Removes those for other platforms, which are not installed here: mirrors may lack some of them, which is an error for Yarn. */
async function forThisPlatform(location: string): Promise<object> {
  const headers = { accept: 'application/vnd.npm.install-v1+json' }
  const document = (await (await fetch(location, { headers })).json()) as {
    versions: Record<string, { optionalDependencies?: Record<string, string> }>
  }
  for (const version of Object.values(document.versions)) {
    const all = Object.entries(version.optionalDependencies ?? {})
    version.optionalDependencies = Object.fromEntries(
      all.filter(([name]) => existsSync(join(root, 'node_modules', name))),
    )
  }
  return document
}

interface Published {
  readonly manifest: { readonly name: string; readonly version: string }
  /** The path of the tarball. */
  readonly file: string
  readonly data: Buffer
}

function read(tarball: string): Published {
  const manifest = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'])
  const { name, version } = JSON.parse(manifest.toString()) as Published['manifest']
  return {
    manifest: JSON.parse(manifest.toString()) as Published['manifest'],
    file: `${name}/-/${name.replace(/.*\//, '')}-${version}.tgz`,
    data: readFileSync(tarball),
  }
}

function documentOf({ manifest, file, data }: Published, url: string): object {
  const { name, version } = manifest
  const hash = (algorithm: string): Buffer => createHash(algorithm).update(data).digest()
  const dist = {
    tarball: `${url}/${file}`,
    shasum: hash('sha1').toString('hex'),
    integrity: `sha512-${hash('sha512').toString('base64')}`,
  }
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    // Package managers may wait before they install new releases.
    time: { [version]: '2026-01-01T00:00:00.000Z' },
  }
}
