/** Converts modules to CommonJS, for tools that can't `require` an ES module or that replace `require`. */

/** `require` of an entry gives its function, which has everything else on it. */
export const functionAsModule = {
  name: 'function-as-module',
  renderChunk(code, { isEntry, exports }) {
    if (!isEntry || !exports.includes('default')) return null
    return { code: `${code}\nmodule.exports = exports.default\n`, map: null }
  },
}

/**
 * Such tools load modules into worlds of their own, with classes of their own: Jest does for each file of tests. Only by
 * the `require` that they give a module does what it loads belong to the same world.
 */
export const ownRequire = {
  name: 'own-require',
  load(id) {
    if (!id.endsWith('/runtime/artifact/require-from.js')) return null
    return `import { fileURLToPath } from 'node:url'
export const requireFrom = (base, id) =>
  require(id.startsWith('.') ? fileURLToPath(new URL(id, base)) : id)`
  },
}

/** `import.meta.url`, which CommonJS does not have. */
export const ownUrl = {
  name: 'own-url',
  resolveImportMeta: (property) =>
    property === 'url' ? "require('node:url').pathToFileURL(__filename).href" : null,
}
