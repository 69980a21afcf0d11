/** fast-json-stringify 6.2 to 7.0: like version 5, except for unions. */
import { version5 } from './version-5.ts'
import { version7 } from './version-7.ts'
import type { SerializerVersion } from './version.ts'

export const version6: SerializerVersion = {
  ...version5,
  unions: { ...version5.unions, uris: 4, failsAsString: version7.unions.failsAsString },
}
