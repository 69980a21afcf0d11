const ENVIRONMENT =
  'Check the variables with TypeBox, Zod or a validator that Ajv has written before: see the page "Environment variables" of the documentation.'

const LODASH = 'Compile the templates before you deploy, or write them as functions.'

/** Alternatives by package. The package nearest to the application is looked up first. */
const ADVICE: Readonly<Record<string, string>> = {
  '@acuminous/bitsyntax':
    'Update `amqplib` to a version that does without it (`npm view amqplib@2 dependencies` lists none).',
  '@fastify/csrf':
    'Make and compare tokens with `node:crypto` in a hook of your own, or start Node without the flag.',
  '@fastify/env': ENVIRONMENT,
  '@protobufjs/codegen': 'Use static code, which `pbjs --target static-module` writes.',
  '@sinclair/typebox':
    'Use `Value.Check` of "@sinclair/typebox/value", which interprets the schema.',
  ajv: 'Put the schema on a route, or add it with `addSchema`, so that the build compiles it; or write its validator with `ajv/dist/standalone` before you deploy.',
  ejs: 'Compile the templates before you deploy (`ejs.compile` with `client: true` gives their source).',
  'env-schema': ENVIRONMENT,
  'fast-json-stringify':
    'Put the schema on a route as its response, so that the build compiles it.',
  'fast-redact': 'Use pino 10 or later, which redacts without it.',
  fastify:
    'Import "framework" or "framework/5" here as in the rest of the application, or start with `--import framework/fastify`, which replaces Fastify everywhere.',
  'generate-function': 'Pass `disableEval: true` to `mysql2`.',
  handlebars:
    'Compile the templates before you deploy (`handlebars --commonjs`), and load "handlebars/runtime".',
  lodash: LODASH,
  'lodash-es': LODASH,
  'real-require':
    'Give the options of the transport to the factory (`logger: { transport }`): its threads do without. Or log to standard output and pipe it.',
}

/** The name that an application must mention to use the package's code generation. */
const FEATURES: Readonly<Record<string, string>> = {
  '@sinclair/typebox': 'TypeCompiler',
  'fast-redact': 'redact',
  lodash: 'template',
  'lodash-es': 'template',
  'real-require': 'transport',
}

/** Packages that generate code only where functions are deprecated, or where the engine lacks `bind`. */
const UNUSED: ReadonlySet<string> = new Set(['depd', 'function-bind'])

/** @param packages from the one that the application imports to the one that generates code */
export function adviceFor(packages: readonly string[]): string {
  const advised = packages.find((name) => Object.hasOwn(ADVICE, name))
  if (advised !== undefined) return ADVICE[advised] as string
  return 'Replace it, ask its authors for a version that does without, or start Node without the flag.'
}

/** Returns whether an application that mentions these names may use the package's code generation. */
export function isInUse(packages: readonly string[], names: ReadonlySet<string>): boolean {
  return packages.every((name) => {
    const feature = Object.hasOwn(FEATURES, name) && FEATURES[name]
    return !UNUSED.has(name) && (!feature || names.has(feature))
  })
}
