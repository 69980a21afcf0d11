/** In front of the names of modules that the deployment itself adds. */
export const OWN = 'framework-deploy:'
