import type { ArtifactIndex } from '../artifact/load.ts'
import type { FastifyLine, FastifySerializing } from '../artifact/lines.ts'

/** What an artifact for Fastify says of itself. */
export interface BridgeIndex extends ArtifactIndex {
  readonly line: FastifyLine
  /** Those that answer as the fast-json-stringify that was installed. */
  readonly serializers: FastifySerializing
}
