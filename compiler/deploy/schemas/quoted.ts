/** Returns a string literal in single quotes, because JSON is full of double quotes. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
}
