/** Members of instances that Fastify 4 lacks or that work differently there. */
import type { Application } from '../../context/application.ts'
import { fastify5Instance } from '../../instance/fastify-5.ts'
import { methodsOf } from '../../instance/routes.ts'
import type { GivenRouteOptions } from '../../route/index.ts'

/** Missing on platforms without explicit resource management. */
const kAsyncDispose: symbol | undefined = (Symbol as { asyncDispose?: symbol }).asyncDispose

export function createMembers(app: Application): object {
  const { router } = app
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(fastify5Instance),
      ...Object.getOwnPropertyDescriptors({
        get supportedMethods(): string[] {
          return methodsOf(app)
        },

        hasRoute: ({ method, url, constraints }: GivenRouteOptions): boolean =>
          router.hasRoute(toMethod(method), url || '', constraints),

        /** Returns the handler and the parameters of the route for a URL. */
        findRoute({ method, url, constraints }: GivenRouteOptions): object | null {
          const found = router.find(toMethod(method), url || '', constraints)
          if (found === null) return null
          const { handler, params, searchParams } = found
          return { handler, params, searchParams }
        },

        ...(kAsyncDispose && { [kAsyncDispose]: () => app.root.close() }),
      }),
    },
  )
}

function toMethod(method: string | string[] | undefined): string {
  return (method as string | undefined)?.toUpperCase() ?? ''
}
