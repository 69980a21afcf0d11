/** All issues. This module is a part of the application that is built. */
import { issues as instances } from './instances.mjs'
import { issues as replies } from './replies.mjs'
import { issues as requests } from './requests.mjs'
import { issues as routing } from './routing.mjs'
import { issues as serialization } from './serialization.mjs'
import { issues as validation } from './validation.mjs'

export const issues = [
  ...routing,
  ...requests,
  ...replies,
  ...instances,
  ...validation,
  ...serialization,
]
