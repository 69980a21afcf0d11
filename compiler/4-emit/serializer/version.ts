import type { Rules } from '../text/rewrite.ts'
import type { UnionProfile } from './union-validators.ts'

/** The version of fast-json-stringify that serializers behave like. Version 7 writes the code of all. */
export interface SerializerVersion {
  /** Returns the schema that version 7 gets. @param id the `$id` of a shared schema */
  prepare<T>(schema: T, id?: string): T
  /** Runs `build`, a call of fast-json-stringify. */
  whileBuilding<T>(build: () => T): T
  readonly unions: UnionProfile
  /** Rewrites the code. */
  readonly rules: Rules
}
