/** Version of this package. A test compares it with package.json. */
export const VERSION = '0.1.0'

/** Version of the artifact format. Raised when older runtimes can't read newer artifacts. */
export const ARTIFACT_FORMAT = 12
