/** Length from which on `JSON.parse` of a text is faster than a literal. */
export const LONG_LITERAL = 400

/** Returns a string literal in single quotes, because JSON is full of double quotes. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
}
