/** The table of commands. */
import type { Command } from '../command.ts'
import { build } from './build.ts'
import { check } from './check.ts'
import { completionsOf } from './completions.ts'
import { deploy } from './deploy.ts'
import { dev } from './dev.ts'
import { explain } from './explain.ts'
import { init } from './init.ts'
import { openapi } from './openapi.ts'
import { report } from './report.ts'
import { routes } from './routes.ts'

/** In the order of the help text. */
export const commands: readonly Command[] = [
  init,
  build,
  dev,
  check,
  deploy,
  routes,
  explain,
  openapi,
  report,
  completionsOf(() => commands),
]
