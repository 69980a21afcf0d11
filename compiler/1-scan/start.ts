import type { ApplicationStart } from '../model/index.ts'
import { meaningOf } from '../lines/index.ts'
import { SourceFiles } from '../util/source-files.ts'
import { findApplication } from './entry.ts'
import { createMachine } from './machine.ts'
import { Project } from './project.ts'
import type { Slices } from './sandbox/dialogue.ts'
import { OutOfBudget } from './values/thrown.ts'

/** Knows nothing that only real code can compute. */
const nothingRuns: Slices = {
  runner: {
    start: () => undefined,
    run: ({ roots }) => ({
      outcomes: roots.map(() => ({ type: 'failed', why: 'nothing of the project is run' })),
    }),
    close: () => undefined,
  },
  onSlow: () => undefined,
}

/** How an entry comes to its application, as far as its source tells without being run; `undefined` where it does not. */
export function findStart(entry: string, root: string): ApplicationStart | undefined {
  const project = new Project(root, new SourceFiles())
  const source = project.parse(entry)
  if (source === undefined) return undefined
  const m = createMachine(project, source, nothingRuns, () => undefined, meaningOf('framework'))
  try {
    const module = m.modules.load(entry)
    return module && findApplication(m, module, () => undefined)?.start
  } catch (error) {
    // A build says what is wrong with it.
    if (error instanceof RangeError || error instanceof OutOfBudget) return undefined
    throw error
  } finally {
    m.deferrals.close()
  }
}
