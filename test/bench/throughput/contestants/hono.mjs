import { createAdaptorServer } from '@hono/node-server'
import app from './hono-application.mjs'

export default createAdaptorServer({ fetch: app.fetch })
