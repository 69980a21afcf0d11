/** The request that measures a start, and the environment of all contestants. */
import { request } from 'node:http'

export interface SampleRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
  /** The start of the expected body. */
  readonly answer: string
}

/** Sends the request. Rejects a wrong answer, whose speed means nothing. */
export function send(
  port: number,
  { method, path, body, status, answer }: SampleRequest,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => {
        if (response.statusCode === status && text.startsWith(answer)) resolve()
        else reject(new Error(`${response.statusCode} ${text}`))
      })
    })
      .on('error', reject)
      .end(body)
  })
}

const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...rest } = process.env
/** The environment without variables that slow Node's own start: extra certificates cost each contestant 40 ms. */
export const plainEnv: NodeJS.ProcessEnv = rest
