/**
 * Measures the CPU time of a look-up, against find-my-way 7.7 with its generated code.
 *
 *   node dist/test/bench/router.js [rounds]
 *
 * Both routers run in one process, taking turns; each URL is a new string, as a server gets it.
 * Prints medians and their ratio (below 1 is faster than find-my-way), and the geometric mean.
 */
import FindMyWay from 'find-my-way'
import { Router } from '../../runtime/router/index.ts'
import { median } from './figures.ts'

const rounds = Number(process.argv[2] ?? 61)
const lookupsPerRound = 20_000

const routes = [
  '/',
  '/user',
  '/user/comments',
  '/user/avatar',
  '/user/lookup/username/:username',
  '/user/lookup/email/:address',
  '/event/:id',
  '/event/:id/comments',
  '/map/:location/events',
  '/status',
  '/very/deeply/nested/route/hello/there',
  '/projects/:project/repos/:repo',
  '/projects/:project/repos/:repo/issues',
  '/static/*',
]

/** URLs of each case; `i` makes them differ. */
const cases: Readonly<Record<string, (i: number) => string>> = {
  static: () => '/user/comments',
  'deep static': () => '/very/deeply/nested/route/hello/there',
  '1 param': (i) => `/event/${i}`,
  '2 params': (i) => `/projects/framework-${i}/repos/repository-${i}`,
  'long param': (i) => `/user/lookup/username/a-user-name-that-is-rather-long-${i}`,
  wildcard: (i) => `/static/images/icons/icon-${i}.png`,
  miss: (i) => `/nowhere/${i}`,
}

interface Finder {
  on(method: 'GET', path: string, opts: object, handler: () => void): void
  find(method: 'GET', url: string): object | null
}

/** Adds the routes, and warms the router up with all cases. */
function prepare(router: Finder): Finder {
  routes.forEach((path) => router.on('GET', path, {}, () => {}))
  for (let round = 0; round < 5; round++) {
    Object.values(cases).forEach((urlOf) => measure(router, urlOf))
  }
  return router
}

/** Nanoseconds of CPU time per look-up. */
function measure(router: Finder, urlOf: (i: number) => string): number {
  const urls = Array.from({ length: lookupsPerRound }, (_, i) =>
    Buffer.from(urlOf(i)).toString('latin1'),
  )
  const before = process.cpuUsage()
  let found = 0
  for (let i = 0; i < lookupsPerRound; i++) {
    if (router.find('GET', urls[i]!) !== null) {
      found++
    }
  }
  const { user, system } = process.cpuUsage(before)
  if (found !== 0 && found !== lookupsPerRound) {
    throw new Error('The URLs of a case have to match all or none')
  }
  return ((user + system) * 1000) / lookupsPerRound
}

const peer = prepare(FindMyWay() as unknown as Finder)
const ours = prepare(new Router() as Finder)

const table: Record<string, object> = {}
const ratios = Object.entries(cases).map(([name, urlOf]) => {
  const times = Array.from({ length: rounds }, (_, round) => {
    // The second one finds warmer caches, so take turns.
    const first = round % 2 === 0 ? ours : peer
    const a = measure(first, urlOf)
    const b = measure(first === ours ? peer : ours, urlOf)
    return first === ours ? [a, b] : [b, a]
  })
  const own = median(times.map((each) => each[0]!))
  const theirs = median(times.map((each) => each[1]!))
  const ratio = own / theirs
  table[name] = {
    framework: Math.round(own),
    'find-my-way': Math.round(theirs),
    ratio: Number(ratio.toFixed(2)),
  }
  return ratio
})
console.log('ns per look-up')
console.table(table)
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
console.log(`geometric mean of the ratios: ${mean.toFixed(2)}`)
