import { dirname, join } from 'node:path'
import { installed } from '../targets/installed.ts'

const packages = {
  '@cloudflare/vitest-plugin': '1.5.0',
  vite: '8.4.0',
  vitest: '5.1.2',
  wrangler: '4.164.0',
}

/** The folder `node_modules` with Cloudflare's plugins for Vite and Vitest. They need Node 22. */
export function cloudflareModules(): string {
  const plugin = installed('@cloudflare/vite-plugin', '1.64.0', packages, 'cloudflare-vite')
  return join(dirname(plugin), '..')
}
