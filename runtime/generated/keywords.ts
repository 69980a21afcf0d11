/** Functions for keywords of ajv-keywords 5 and @fastify/multipart 8. */

/** `isFile`: a part of a multipart form that is a file. The plugin's own check throws at `null`. */
export function isFile(part: { readonly file?: unknown } | null): boolean {
  return Boolean(part?.file)
}

/** `transform: ['trimStart']`, and the other values of the keyword. */
export function trimStart(text: string): string {
  return text.trimStart()
}

export function trimEnd(text: string): string {
  return text.trimEnd()
}

export function trim(text: string): string {
  return text.trim()
}

export function toLowerCase(text: string): string {
  return text.toLowerCase()
}

export function toUpperCase(text: string): string {
  return text.toUpperCase()
}

/** Returns the value of the enum that equals the text when case is ignored, or else the text. */
export function toEnumCase(
  text: string,
  config?: { readonly hash: Record<string, string> },
): string {
  return config?.hash[text.toLowerCase()] || text
}
