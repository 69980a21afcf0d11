// Calls the function as Vercel does, with requests of node:http.
import { createServer } from 'node:http'
import { handler } from './.vercel/output/functions/application.func/index.js'

createServer(handler).listen(process.env.PORT ?? 3000, '127.0.0.1')
