/** The applications of `fixtures/apps` that are tested on the targets other than Node. */

/** Minimum number of requests, by the name of the application. */
export type Rows = Readonly<Record<string, number>>

const everywhere: Rows = {
  bookshop: 4500,
  clinic: 3000,
  commonjs: 190,
  extensions: 750,
  harbour: 3400,
  'module-level': 370,
  museum: 3200,
  'plugin-entry': 120,
  'post-office': 540,
  railway: 2600,
}

/** Tested over sockets, except for the application with twenty plugins, which has its own test: `plugins.long.test.ts`. */
export const tested: Readonly<Record<'workerd' | 'deno' | 'bun', Rows>> = {
  workerd: everywhere,
  deno: { ...everywhere, 'plugins/csrf': 30 },
  bun: { ...everywhere, 'plugins/csrf': 30 },
}

/** Tested in pages, which can't express some requests. */
export const testedInPages: Rows = {
  bookshop: 4000,
  commonjs: 190,
  extensions: 700,
  'module-level': 300,
  museum: 3200,
  'plugin-entry': 110,
  railway: 2400,
}

/** Not deployed to the web because they read files and modules; with the path of imports. */
export const refusedOnWeb: Readonly<Record<string, RegExp>> = {
  clinic: /"node:fs" does not work on web \(routes\/reports\/index\.js > fs\)/,
  harbour: /"node:module" does not work on web \(src\/routes\/cargo\.ts > module\)/,
  plugins: /"node:fs" does not work on web \(fixtures\/apps\/plugins\/areas\/archive\.ts > fs\)/,
  'post-office': /"node:fs" does not work on web \(fixtures\/apps\/post-office\/replies\.ts > fs\)/,
}

/** Warned about when deployed, and not booted where code generation is refused. */
export const generatesCode = 'plugins/csrf'
