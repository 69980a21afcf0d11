/**
 * What the runtime needs of the platform that it runs on. All else it takes of the language and of the web's own interfaces.
 *
 * `node.ts` takes it from Node, `web/index.ts` from libraries, for pages, service workers and whatever else has none of Node's
 * modules. The build of the runtime for the web, `runtime/dist/web`, holds that file in the place of this one
 * (`packaging/web.js`).
 */
export * from './node.ts'
