import { fileURLToPath } from 'node:url'

/** The root of the checkout; this file runs from `dist/test/support`. */
export const root: string = fileURLToPath(new URL('../../../', import.meta.url))
