/** Formats of plain text, with the patterns of ajv-formats 2.1.1. */

const END_ANCHOR = /[^\\]\\Z/

/** Accepts regular expressions of ECMAScript without the flag `u`. `\Z` belongs to another dialect. */
export function formatRegex(text: string): boolean {
  if (END_ANCHOR.test(text)) return false
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/m

/** Base64 in at least one line of the text. */
export function formatByte(text: string): boolean {
  return BASE64.test(text)
}

/** RFC 3339, appendix A. */
export const formatDuration: RegExp =
  /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/

/** RFC 4122. */
export const formatUuid: RegExp = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
