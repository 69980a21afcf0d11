/** Version of this package. A test compares it with package.json. */
export const VERSION = '0.1.0'

/** Version of the artifact format. Raised when the format changes. */
export const ARTIFACT_FORMAT = 14
