/** The one request that starts are measured by, and what is common to all that are measured. */
import { request } from 'node:http'

export interface SampleRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
  /** The start of the right answer. */
  readonly answer: string
}

/** Rejects unless the answer is the right one: a wrong answer has no speed. */
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

/** Without what makes Node itself do more at its start: extra certificates are 40 ms for every contestant. */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...rest } = process.env

export const plainEnv: NodeJS.ProcessEnv = rest
