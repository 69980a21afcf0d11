/** `framework/internal`: what generated code imports. Not for applications; it may change with any release. */
export { openArtifact, openEagerArtifact } from './artifact/load.ts'
export { registerArtifact } from './artifact/registry.ts'
