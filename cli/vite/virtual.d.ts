/** The module that `@framework/compiler/vite` provides. */
declare module 'virtual:framework/artifact' {
  import type { FastifyServerOptions } from 'framework'

  const artifact: NonNullable<NonNullable<FastifyServerOptions['aot']>['artifact']>
  export default artifact
}
