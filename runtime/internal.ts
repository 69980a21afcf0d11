/** `framework/internal`: imported by artifacts and deployments. Not for applications; it may change with any release. */
export { openEagerArtifact } from './artifact/load-eager.ts'
export * from './generated/index.ts'
export { openArtifact, provideArtifact } from './compiled/open-artifact.ts'
export { functionsIn, loadModule } from './compiled/modules-on-demand.ts'
export { createOnRead } from './artifact/lazy-schemas/types-on-read.ts'
export { openSchemas } from './compiled/deployment-schemas.ts'
export { schemasIn, schemasOf } from './compiled/schema-texts.ts'
export { providePackages } from './serve/load-package.ts'
