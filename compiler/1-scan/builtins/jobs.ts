/** The event loop of the scan: jobs wait for their turn, in the order in which Node runs them. Timers run in virtual time. */
import { branchOn, under } from '../values/conditions.ts'
import type { JobQueue } from '../values/interfaces.ts'
import type { Machine } from '../values/machine.ts'
import { primitive, undefinedValue, type Job, type Unknown, type Value } from '../values/index.ts'
import { sharedDepth } from '../../util/branches.ts'
import { Exit, OutOfBudget, Thrown } from '../values/thrown.ts'
import type { Node } from '../../util/source/project.ts'
import type { Binding } from '../values/scope.ts'

interface Timer extends Job {
  readonly time: number
}

const maxJobs = 20_000

export class Jobs implements JobQueue {
  readonly #machine: Machine
  readonly #microtasks: Job[] = []
  readonly #ticks: Job[] = []
  readonly #timers: Timer[] = []
  /** Callbacks of `nextTick` run to the last before the next microtask. */
  #isInTicks = false
  #now = 0
  #count = 0

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** Creates a job of the code that is being followed. */
  create(run: () => void): Job {
    const { branches, budget, loose } = this.#machine
    return { branches: [...branches], calls: [...budget.calls], loose, run }
  }

  add(job: Job): void {
    this.#microtasks.push(job)
  }

  addTick(job: Job): void {
    this.#ticks.push(job)
  }

  /** Returns the variable that keeps the timer: it is true until the timer is cleared. */
  addTimer(job: Job, delay: number): Binding {
    const isActive: Binding = { value: primitive(true, undefined) }
    const { last } = this.#machine.budget
    const run = (): void => {
      const active = isActive.value as Value
      branchOn(this.#machine, active, last, (outcome) => (outcome ? job.run() : undefined))
    }
    const time = this.#now + delay
    const later = this.#timers.findIndex((one) => one.time > time)
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, { ...job, run, time })
    return isActive
  }

  /** Runs jobs until something holds, or none is left. */
  runUntil(isDone: () => boolean): void {
    while (!isDone()) {
      const job = this.#next() ?? this.#timers.shift()
      if (job === undefined) return
      if ('time' in job) {
        this.#now = (job as Timer).time
        this.#isInTicks = true
      }
      this.#run(job)
    }
  }

  /** Runs all jobs that wait for nothing. */
  drain(): void {
    for (let job = this.#next(); job !== undefined; job = this.#next()) this.#run(job)
    const { rejections } = this.#machine
    for (const { error, isHandled } of rejections.splice(0)) {
      if (error !== undefined && !isHandled) this.#machine.reportThrown(error, error.at)
    }
  }

  /** Drops all waiting jobs. */
  #clear(): void {
    for (const jobs of [this.#microtasks, this.#ticks, this.#timers]) jobs.length = 0
  }

  #next(): Job | undefined {
    this.#isInTicks &&= this.#ticks.length > 0
    if (this.#isInTicks) return this.#ticks.shift()
    const job = this.#microtasks.shift()
    if (job !== undefined) return job
    this.#isInTicks = true
    return this.#ticks.shift()
  }

  #run({ branches: own, calls, loose, run }: Job): void {
    const { branches, budget, journal, tries } = this.#machine
    if (++this.#count > maxJobs) throw new OutOfBudget(budget.last)
    const shared = sharedDepth(branches, own)
    const outerBranches = branches.splice(shared)
    const outerCalls = budget.calls.splice(0, Infinity, ...calls)
    const { all, inFunction } = tries
    Object.assign(tries, { all: 0, inFunction: 0 })
    try {
      journal.passTime()
      const go = (): void =>
        loose === undefined ? run() : runLoosely(this.#machine, loose, run, loose.at)
      journal.outside(shared, () => under(this.#machine, own.slice(shared), budget.last, go))
    } catch (error) {
      if (!(error instanceof Exit)) throw error
      // A process that ends under a condition goes on without it.
      if (own.length === 0 && loose === undefined) this.#clear()
    } finally {
      Object.assign(tries, { all, inFunction })
      budget.calls.splice(0, Infinity, ...outerCalls)
      branches.push(...outerBranches)
    }
  }
}

/** Runs something that may run now, later, never or several times: nobody knows what it has written when. */
export function runLoosely(m: Machine, why: Unknown, run: () => void, at: Node): void {
  const { loose } = m
  m.loose = why
  try {
    m.journal.loosely(() => m.fork([run, (): void => undefined], at), why)
  } finally {
    m.loose = loose
  }
}

/** Creates a job that calls a callback. If that throws, the application ends. */
export function callback(m: Machine, args: readonly Value[], at: Node): Job {
  const [run = undefinedValue, ...given] = args
  return m.jobs.create(() => {
    try {
      m.call(run, undefinedValue, given, at)
    } catch (error) {
      if (!(error instanceof Thrown) || error instanceof Exit) throw error
      m.reportThrown(error, at)
    }
  })
}
