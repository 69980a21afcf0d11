/**
 * `npm run bench:workerd [-- --runs 11 --routes 1,100,1000 --style loop|literal]`; Linux only.
 *
 * Measures what a fresh workerd costs from its start to the first validated and serialized response of one Worker, and how much of that
 * is reading what the Worker holds (`floor`, with `--style literal`). Contestants take turns, medians are compared: the machine's
 * speed drifts, ratios hold.
 */
import { parseArgs } from 'node:util'
import { sampleRequest, type Style } from '../application.ts'
import { median } from '../median.ts'
import { type Contestant, prepare } from './contestants.ts'
import { cpuOf, residentOf } from '../process.ts'

interface Cost {
  /** When the Worker has started, and after the first response: CPU time of the process in ms. */
  readonly started: number
  readonly cpu: number
  /** From spawn to the response, in ms. */
  readonly wall: number
  /** Resident memory after the response, in MiB. */
  readonly rss: number
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '11' },
    routes: { type: 'string', default: '1,100,1000' },
    style: { type: 'string', default: 'loop' },
  },
})
const runs = Number(values.runs)

console.log(`${runs} runs each, medians; cpu and wall in ms, rss in MB\n`)
for (const count of values.routes.split(',').map(Number)) {
  const contestants = await prepare(count, values.style as Style)
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]))
  for (let run = 0; run < runs; run++) {
    for (const contestant of contestants)
      costs.get(contestant.name)?.push(await measure(contestant))
  }
  print(count, contestants, costs)
}

async function measure({ serve }: Contestant): Promise<Cost> {
  const start = performance.now()
  const { port, pid, stop } = await serve()
  try {
    const started = cpuOf(pid)
    await send(port)
    return { started, wall: performance.now() - start, cpu: cpuOf(pid), rss: residentOf(pid) }
  } finally {
    await stop()
  }
}

/** Rejects unless the answer is the right one: a wrong answer has no speed. */
async function send(port: number): Promise<void> {
  const { method, path, body, status, answer } = sampleRequest
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
  const text = await response.text()
  if (response.status !== status || !text.startsWith(answer)) {
    throw new Error(`${response.status} ${text}`)
  }
}

function print(
  count: number,
  contestants: readonly Contestant[],
  costs: ReadonlyMap<string, readonly Cost[]>,
): void {
  console.log(`${count} route${count === 1 ? '' : 's'}`)
  const [raw] = contestants
  const least = median((costs.get(raw?.name ?? '') ?? []).map(({ cpu }) => cpu))
  console.table(
    Object.fromEntries(
      contestants.map(({ name, bytes }) => {
        const own = costs.get(name) ?? []
        const cpu = median(own.map((cost) => cost.cpu))
        return [
          name,
          {
            cpu: Math.round(cpu),
            'cpu over plain': Math.round(cpu - least),
            'of it to start': Math.round(median(own.map(({ started }) => started))),
            wall: Math.round(median(own.map(({ wall }) => wall))),
            rss: Math.round(median(own.map(({ rss }) => rss))),
            'kB of source': Math.round(bytes / 1000),
          },
        ]
      }),
    ),
  )
}
