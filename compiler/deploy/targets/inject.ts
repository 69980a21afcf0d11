import { OWN } from '../own.ts'

/** Lets light-my-request work where `http.ServerResponse` cannot be called, or is not there. */
export const injectByFetch: Readonly<Record<string, string>> = {
  '/light-my-request/lib/response.js': `const { parse } = require('set-cookie-parser')
module.exports = require('${OWN}injected-response')(parse)
`,
}
