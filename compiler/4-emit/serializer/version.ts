import type { Rules } from '../text/rewrite.ts'
import type { UnionMeaning } from './union-validators.ts'

/** A version of fast-json-stringify that serializers answer as. Version 7 writes the code of all. */
export interface SerializerVersion {
  /** What version 7 is given in the place of a schema. @param id of a shared one */
  prepare<T>(schema: T, id?: string): T
  /** What `build` gives, a call of fast-json-stringify. */
  whileBuilding<T>(build: () => T): T
  readonly unions: UnionMeaning
  /** What becomes of the code. */
  readonly rules: Rules
}
