import { cloudflareTest } from '@cloudflare/vitest-plugin'
import framework from '@framework/compiler/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [
    framework({ entry: 'src/app.js' }),
    cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } }),
  ],
})
