interface Link {
  text: string
  link: string
}

interface Group {
  text: string
  items: Link[]
}

/** The pages of each part of the site, in the order in which a reader needs them. */
export const sidebar: Record<string, Group[]> = {
  '/guide/': [
    group('guide', 'Start', [
      ['What it is', 'what-it-is'],
      ['Getting started', 'getting-started'],
      ['Which way is yours', 'which-way'],
    ]),
    group('guide', 'Your way', [
      ['From Fastify 5', 'from-fastify-5'],
      ['From Fastify 4', 'from-fastify-4'],
      ['In place of Fastify', 'instead-of-fastify'],
      ['Staying on Fastify', 'staying-on-fastify'],
      ['TypeBox and Zod', 'typebox-and-zod'],
    ]),
    group('guide', 'Concepts', [
      ['Contexts', 'contexts'],
      ['Schemas and $ref', 'schemas'],
      ['The build', 'the-build'],
      ['Plugins', 'plugins'],
    ]),
    group('guide', 'Deploying', [
      ['Servers and containers', 'deploy'],
      ['Functions', 'functions'],
      ['Workers, Deno and Bun', 'platforms'],
      ['Workers with your own bundler', 'workers'],
      ['Browsers', 'web'],
    ]),
    group('guide', 'Working with it', [
      ['Testing', 'testing'],
      ['Vite', 'vite'],
      ['Rules', 'rules'],
      ['TypeScript', 'typescript'],
      ['Troubleshooting', 'troubleshooting'],
      ['Questions', 'faq'],
      ['Support and versions', 'support'],
    ]),
  ],
  '/reference/': [
    group('reference', 'In your code', [
      ['The factory', 'factory'],
      ['The instance', 'instance'],
      ['Routes', 'routes'],
      ['Hooks', 'hooks'],
      ['Request', 'request'],
      ['Reply', 'reply'],
      ['Plugins', 'plugins'],
      ['Types', 'types'],
      ['Entries of the package', 'entries'],
    ]),
    group('reference', 'Tools', [
      ['Command line', 'cli'],
      ['How the build works out schemas', 'building'],
      ['The artifact', 'artifact'],
      ['What a deployment contains', 'deployment'],
      ['Error codes', 'codes'],
    ]),
    group('reference', 'Behaviour', [
      ['Errors in requests', 'errors'],
      ['Differences from Fastify 4.21', 'differences'],
      ['Differences from Fastify 5', 'differences-5'],
      ['Fixed vulnerabilities', 'security'],
    ]),
  ],
  '/recipes/': [
    group('recipes', 'Recipes', [
      ['Installing', 'install'],
      ['The bookshop', 'bookshop'],
      ['TypeScript, compiled by tsc', 'typescript'],
      ['pnpm, workspaces and tsx', 'workspaces'],
      ['NestJS', 'nestjs'],
      ['A typed client', 'client'],
      ['Environment variables', 'environment'],
      ['OpenTelemetry', 'opentelemetry'],
      ['Docker', 'docker'],
      ['CI', 'ci'],
    ]),
  ],
  '/measurements/': [
    group('measurements', 'Measurements', [
      ['Performance', 'performance'],
      ['Cold starts', 'cold-start'],
      ["Fastify's own tests", 'conformance'],
      ['Published applications', 'applications'],
    ]),
  ],
}

function group(
  folder: string,
  text: string,
  entries: readonly (readonly [title: string, page: string])[],
): Group {
  return {
    text,
    items: entries.map(([title, page]) => ({ text: title, link: `/${folder}/${page}` })),
  }
}
