declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly method: string
    readonly headers?: Record<string, string>
    readonly body?: string
    /** How many requests to send. */
    readonly amount: number
    readonly connections: number
    /** In milliseconds. */
    readonly sampleInt: number
  }

  interface Result {
    readonly errors: number
    readonly '2xx': number
    readonly '4xx': number
  }

  export default function autocannon(options: Options): Promise<Result>
}
