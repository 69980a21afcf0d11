/** Packages that few calls of the command need: loading them takes longer than most commands. */
import { createRequire } from 'node:module'
import type * as Tinyglobby from 'tinyglobby'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

export const globSync = (
  patterns: string | readonly string[],
  options: Tinyglobby.GlobOptions,
): string[] => (require('tinyglobby') as typeof Tinyglobby).globSync(patterns, options)

export const parseDocument: typeof Yaml.parseDocument = (...args) =>
  (require('yaml') as typeof Yaml).parseDocument(...args)
