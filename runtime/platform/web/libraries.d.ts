/** Types of libraries that have none: those of the modules that they replace. */
declare module 'events/events.js' {
  export { EventEmitter } from 'node:events'
}

declare module 'process/browser.js' {
  const process: Pick<NodeJS.Process, 'argv' | 'cwd' | 'env' | 'version' | 'versions'>
  export default process
}

declare module 'readable-stream/lib/ours/browser.js' {
  export { finished, pipeline, Readable, Transform, Writable } from 'node:stream'
}
