/**
 * The platform interface of the runtime: everything that differs where there is no Node.
 *
 * `node.ts` implements it with Node's modules. `web/index.ts` implements it with libraries, for pages, service workers and other platforms
 * without Node's modules. The build of the runtime for the web, `dist/web`, contains that file in place of this one, and the build for
 * Workers, `dist/workerd`, contains `workerd.ts`.
 */
export * from './node.ts'
