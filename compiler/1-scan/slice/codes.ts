/** Reads a property. */
export const memberCode = '(o, k) => o[k]'

/** Calls a method. */
export const methodCode = '(o, k, ...a) => o[k](...a)'
