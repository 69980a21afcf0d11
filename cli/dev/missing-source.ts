import { existsSync } from 'node:fs'
import path from 'node:path'

const MISSING = /^Cannot find module '(.+)\.([cm]?)jsx?' imported from (.+)$/

/**
 * Explains a failed import of `./x.js` where only `./x.ts` exists: Node strips types but doesn't rewrite
 * paths.
 */
export function missingSourceText(error: unknown): string | undefined {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  const [, stem, kind = '', importer = ''] = MISSING.exec(message) ?? []
  if (code !== 'ERR_MODULE_NOT_FOUND' || stem === undefined) return undefined
  const source = [`${stem}.${kind}ts`, `${stem}.tsx`].find((file) => existsSync(file))
  if (source === undefined) return undefined
  const [imported, written, from] = [`${stem}.${kind}js`, source, importer].map((file) =>
    path.relative(process.cwd(), file),
  )
  return `${from} imports ${imported}, which is to be compiled from ${written}. Node itself runs TypeScript only where the import names that file. Install tsx: \`npm install --save-dev tsx\`.`
}
