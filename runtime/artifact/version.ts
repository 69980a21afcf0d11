/** The version of this package; a test holds it equal to package.json. */
export const VERSION = '0.1.0'

/** The version of the artifact's form. Raised when an older runtime could not read a newer artifact. */
export const ARTIFACT_FORMAT = 9
