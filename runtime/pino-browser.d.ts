/** The version of pino that logs objects to the console. */
declare module 'pino/browser.js' {
  const pino: unknown
  export default pino
}
