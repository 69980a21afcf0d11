/** Formats of JSON pointers, with the patterns of ajv-formats 2.1.1. */

/** RFC 6901. */
export const formatJsonPointer: RegExp = /^(?:\/(?:[^~/]|~0|~1)*)*$/

/** RFC 6901, section 6. */
export const formatJsonPointerUriFragment: RegExp =
  /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i

export const formatRelativeJsonPointer: RegExp = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/
