/** Prefix of the names of virtual modules, which a deployment adds to the bundle. */
export const VIRTUAL = 'framework-deploy:'

/** The main module of every bundle. */
export const MAIN: string = `${VIRTUAL}main`
