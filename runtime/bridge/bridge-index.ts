import type { ArtifactIndex } from '../artifact/load.ts'
import type { FastifyLine, FastifySerializing } from '../artifact/lines.ts'

/** Index of an artifact for Fastify. */
export interface BridgeIndex extends ArtifactIndex {
  readonly line: FastifyLine
  /** The fast-json-stringify release that the serializers match. */
  readonly serializers: FastifySerializing
}
