/** Serves files to pages, with a policy that allows scripts of this server only, and no code generation. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const POLICY = "script-src 'self'"

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

export interface FileServer {
  readonly origin: string
  close(): void
}

/**
 * Answers 404 for missing files.
 *
 * @param texts by their paths; other files come from `folder`, and `/ask.js` always exists
 */
export async function serveFiles(
  folder: string,
  texts: Readonly<Record<string, string>>,
): Promise<FileServer> {
  const ask = readFileSync(fileURLToPath(new URL('ask.js', import.meta.url)), 'utf8')
  const all: Readonly<Record<string, string>> = { '/ask.js': ask, ...texts }
  const server = createServer((request, response) => {
    const path = new URL(request.url as string, 'http://localhost').pathname
    const text = all[path] ?? read(join(folder, normalize(path)))
    response.setHeader('content-security-policy', POLICY)
    if (text === undefined) return response.writeHead(404).end('There is no such file.')
    const type = types[path === '/' ? '.html' : extname(path)]
    return response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
