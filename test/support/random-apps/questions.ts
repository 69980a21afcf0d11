import type { BootedContext } from '../scan-oracle.ts'
import type { Question } from './ask.ts'

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

/** For each route one request that may fit and one that may not. */
export function questionsOf(context: BootedContext): Question[] {
  const own = context.routes.flatMap(({ url, methods }): Question[] => {
    const path = url.replace(/:\w+/g, '7').replace('*', 'some/where')
    const takesBody = methods.some((method) => ['POST', 'PUT', 'PATCH'].includes(method))
    return methods.flatMap((method) => [
      { method, url: path + query, ...(takesBody && { body }) },
      {
        method: method === 'GET' ? 'HEAD' : method,
        url: path + invalid,
        ...(takesBody && { body: { name: { no: 1 }, count: 'x' } }),
        headers: { 'accept-version': '1.2.0' },
      },
      { method, url: path + invalid, ...(takesBody && { body: [] }) },
    ])
  })
  return [...own, ...context.children.flatMap(questionsOf)]
}
