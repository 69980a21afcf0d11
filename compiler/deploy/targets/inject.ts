import { VIRTUAL } from '../virtual.ts'

const response = `const { parse } = require('set-cookie-parser')
module.exports = require('${VIRTUAL}injected-response')(parse)
`

/** Replaces the response of light-my-request, which extends `http.ServerResponse`, on platforms where that class can't be constructed. */
export const injectWithoutServerResponse: Readonly<Record<string, string>> = {
  '/light-my-request/lib/response.js': response,
  '/light-my-request-6/lib/response.js': response,
}
