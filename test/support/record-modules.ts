/** Preloaded: prints the URL of every module that the process loads, as JSON, when it exits. */
import Module from 'node:module'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'

const { port1, port2 } = new MessageChannel()
const loaded: string[] = []
port1.unref()

Module.register('./record-modules-hooks.js', import.meta.url, {
  data: { port: port2 },
  transferList: [port2],
})

// The hooks don't see CommonJS modules that are required.
interface Loader {
  _load(request: string, parent: unknown, isMain: boolean): unknown
  _resolveFilename(request: string, parent: unknown, isMain: boolean): string
}
const loader = Module as unknown as Loader
const load = loader._load
loader._load = function (request, parent, isMain) {
  loaded.push(loader._resolveFilename(request, parent, isMain))
  return load.call(this, request, parent, isMain)
}

process.once('exit', () => {
  for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1)) {
    loaded.push(String(next.message))
  }
  console.log(`LOADED ${JSON.stringify([...new Set(loaded)])}`)
})
