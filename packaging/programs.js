/** Finds the programs that a module starts, and the files that it reads, and takes them along. */
import { readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'

/** Not in a comment. */
const URL_OF_FILE = /^(?!\s*(?:\/?\*|\/\/))(.*)new URL\('(\.[^']+)', import\.meta\.url\)/gm

/**
 * Replaces `new URL('./file', import.meta.url)`: a module of `folder` becomes a program of its own among the joined files, anything else
 * is copied beside them.
 *
 * @param {string} folder what the type checker has written
 */
export const programs = (folder) => ({
  name: 'programs',
  transform(code, id) {
    return code.replace(URL_OF_FILE, (_, before, name) => {
      const file = resolve(dirname(id), name)
      const reference = this.emitFile(
        file.endsWith('.js') && !ASSET.test(file)
          ? { type: 'chunk', id: file, name: nameOf(relative(resolve(folder), file)) }
          : { type: 'asset', fileName: `assets/${basename(file)}`, source: readFileSync(file) },
      )
      return `${before}new URL(import.meta.ROLLUP_FILE_URL_${reference})`
    })
  },
})

/** Code that is read as text: it goes into artifacts and pages. */
const ASSET = /[\\/](?:bridge|browser[\\/]\w+)\.js$/

/** `compiler/booted/child/main.js` becomes `booted-child-main`, because there are many files called main.js. */
function nameOf(path) {
  return path
    .replace(/^compiler[\\/]/, '')
    .replace(/\.js$/, '')
    .replaceAll(/[\\/]/g, '-')
}
