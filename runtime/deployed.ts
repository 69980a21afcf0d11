/** What `framework deploy` adds to a bundle. Not for applications; it may change with any release. */
export { applicationOf } from './deployed/application.ts'
export { createByName } from './deployed/by-name.ts'
export { functionsOf } from './deployed/functions.ts'
export { takeListening } from './deployed/listening.ts'
export { toNodeHandler } from './deployed/node-handler.ts'
export { openBun, openDeno } from './deployed/own-servers.ts'
export { serve } from './deployed/serve.ts'
export { workerOf } from './deployed/worker.ts'
