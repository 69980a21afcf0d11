/** The commands on each page of `docs/recipes` have the output that it shows. */
import { managers, recipes } from './environment.ts'

await recipes([
  { page: 'docs/recipes/install.md' },
  { page: 'docs/recipes/bookshop.md' },
  { page: 'docs/guide/from-fastify-4.md' },
  { page: 'docs/guide/from-fastify-5.md' },
  { page: 'docs/guide/plugins.md' },
  { page: 'docs/guide/staying-on-fastify.md' },
  { page: 'docs/recipes/workspaces.md', manager: managers.pnpm },
  { page: 'docs/recipes/workspaces.md', manager: managers.pnpm10 },
  { page: 'docs/recipes/typescript.md' },
  { page: 'docs/recipes/nestjs.md' },
  { page: 'docs/recipes/client.md' },
  { page: 'docs/recipes/environment.md' },
  { page: 'docs/recipes/opentelemetry.md' },
  { page: 'docs/recipes/docker.md' },
  { page: 'docs/recipes/ci.md' },
])
