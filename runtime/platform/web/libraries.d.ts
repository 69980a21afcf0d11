/** Types of libraries that lack them: each has the type of the module of Node that it replaces in browsers. */
declare module 'events/events.js' {
  export { EventEmitter } from 'node:events'
}

declare module 'process/browser.js' {
  const process: Pick<NodeJS.Process, 'argv' | 'cwd' | 'env' | 'version' | 'versions'>
  export default process
}

declare module 'readable-stream/lib/ours/browser.js' {
  export { Duplex, finished, pipeline, Readable, Transform, Writable } from 'node:stream'
}
