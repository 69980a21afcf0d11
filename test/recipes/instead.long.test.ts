/** Applications for Fastify run on this package unchanged: by each package manager, from an empty folder, and by a preload. */
import { managers, recipes } from './environment.ts'

const page = 'docs/guide/instead-of-fastify.md'

await recipes([
  { page, section: 'With npm' },
  { page, section: 'With pnpm', manager: managers.pnpm },
  { page, section: 'With pnpm', manager: managers.pnpm10 },
  { page, section: 'With Yarn', manager: managers.yarn1 },
  { page, section: 'With Yarn', manager: managers.yarn4 },
  { page, section: 'With a preload' },
])
