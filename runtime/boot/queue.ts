/** Ends a task. Only the first call has an effect. */
export type Done = (error?: unknown) => void

/** Gets the current error, and passes one on through `done`. */
export type Callback = (error: unknown, done: Done) => void

interface Entry<Task> {
  readonly task: Task
  readonly onDone: Done
}

/** Runs tasks one after the other. It is paused at first. */
export class SerialQueue<Task> {
  /** Called when the queue has become empty, and by `resume` on an empty queue. */
  onDrain: () => void = noop

  readonly #work: (task: Task, done: Done) => void
  readonly #waiting: Entry<Task>[] = []
  #isPaused = true
  #isRunning = false

  constructor(work: (task: Task, done: Done) => void) {
    this.#work = work
  }

  /** True if no task is running or waiting. */
  get isIdle(): boolean {
    return !this.#isRunning && this.#waiting.length === 0
  }

  /** The number of waiting tasks. */
  get length(): number {
    return this.#waiting.length
  }

  push(task: Task, onDone: Done = noop): void {
    this.#waiting.push({ task, onDone })
    this.#runIfFree()
  }

  /** Adds a task before all waiting ones. */
  unshift(task: Task, onDone: Done = noop): void {
    this.#waiting.unshift({ task, onDone })
    this.#runIfFree()
  }

  /** Starts no more tasks. A running one continues. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    if (this.isIdle) this.onDrain()
    else this.#runIfFree()
  }

  #runIfFree(): void {
    if (!this.#isPaused && !this.#isRunning) this.#runNext()
  }

  #runNext(): void {
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#isRunning = false
      this.onDrain()
      return
    }
    this.#isRunning = true
    let isDone = false
    this.#work(next.task, (error) => {
      if (isDone) return
      isDone = true
      next.onDone(error)
      if (this.#isPaused && this.#waiting.length > 0) this.#isRunning = false
      else this.#runNext()
    })
  }
}

function noop(): void {}
