import { cloudflare } from '@cloudflare/vite-plugin'
import framework from '@framework/compiler/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [framework({ entry: 'src/app.js' }), cloudflare()] })
