import type { ParityRequest } from '../request.ts'
import type { BootedContext } from '../scan-oracle.ts'

const query = '?name=abc&count=3&flag=true&tags=t&kind=a&item=x&more=1'
const invalid = '?name=abcdef&count=x&flag=9&kind=z'
const body = {
  name: 'abc',
  count: '3',
  flag: 'true',
  tags: 't',
  item: { name: 5 },
  kind: 'a',
  extra: 1,
}

/** For each route one request that may fit and some that may not. */
export function requestsOf(context: BootedContext): ParityRequest[] {
  const own = context.routes.flatMap(({ url, methods }): ParityRequest[] => {
    const path = url.replace(/:\w+/g, '7').replace('*', 'some/where')
    const takesBody = methods.some((method) => ['POST', 'PUT', 'PATCH'].includes(method))
    const withBody = (content: unknown): Partial<ParityRequest> => ({
      headers: [['content-type', 'application/json']],
      body: JSON.stringify(content),
    })
    return methods.flatMap((method) => {
      const other = withBody({ name: { no: 1 }, count: 'x' })
      return [
        { title: 'fits', method, target: path + query, ...(takesBody && withBody(body)) },
        {
          title: 'does not fit',
          method: method === 'GET' ? 'HEAD' : method,
          target: path + invalid,
          ...(takesBody && other),
          headers: [...((takesBody && other.headers) || []), ['accept-version', '1.2.0']],
        },
        { title: 'a list', method, target: path + invalid, ...withBody([]) },
      ]
    })
  })
  return [...own, ...context.children.flatMap(requestsOf)]
}
