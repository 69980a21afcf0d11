import type { ArtifactIndex } from '../artifact/load.ts'
import type { FastifyLine } from '../artifact/lines.ts'

/** What an artifact for Fastify says of itself. */
export interface BridgeIndex extends ArtifactIndex {
  readonly line: FastifyLine
  /** The line whose serializers it has: those that answer as the fast-json-stringify that was installed. */
  readonly serializers: FastifyLine
}
