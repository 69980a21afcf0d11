/** Each page of `docs/recipes` does what it shows. */
import { managers, recipes } from './environment.ts'

await recipes([
  { page: 'recipes/install.md' },
  { page: 'recipes/bookshop.md' },
  { page: 'guide/from-fastify-4.md' },
  { page: 'guide/from-fastify-5.md' },
  { page: 'recipes/workspaces.md', manager: managers.pnpm },
  { page: 'recipes/typescript.md' },
  { page: 'recipes/client.md' },
  { page: 'recipes/opentelemetry.md' },
  { page: 'recipes/docker.md' },
  { page: 'recipes/ci.md' },
])
