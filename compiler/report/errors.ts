import type { Diagnostic, SourceLocation } from '../model/index.ts'
import { isFault, isMissingModule, isNotJsonSchema, stepForFault, stepForObject } from './faults.ts'

/**
 * The problems that builds, deployments and other commands report, sorted by code. Codes are public and never
 * change; wording may improve. Messages say what is wrong and what to do next.
 */
export const messages = {
  AOT_AWAIT_AT_START: (): string =>
    'This `await` still runs when the Worker starts, because the entry listens by itself, or exports what Workers need at start. Let it only export a function that creates the application: then `--late-boot` postpones all modules.',
  AOT_BODY_SCHEMA_NOT_SUPPORTED: (method: string, url: string): string =>
    `A ${method} route has no body, but "${url}" declares a body schema. Remove \`body\` from its schema, or use another method.`,
  AOT_BOOT_DIFFERS: (route: string, difference: string): string =>
    `The booted application declares ${route} differently than its source reads: ${difference}. Both are compiled, so the application starts. Report it with this source.`,
  AOT_BOOT_FAILS: (reason: string, printed: string): string =>
    `Booting the application fails: ${reason}.${printed}${isMissingModule(reason) ? 'Install it, or correct its name' : 'Give it what it needs to load its plugins (environment, services)'}, or build without \`--trace\` and \`--verify\`.`,
  AOT_BOOT_STOPS: (reason: string, step: string, plugins: readonly string[] = []): string => {
    const names = plugins.map((name) => `"${name}"`).join(' or ')
    const lacks = plugins.length === 0 ? '' : `, such as what ${names} declares`
    return `The build booted the application in a sandbox to complete what its source doesn't show${lacks}, but it stopped: ${reason}. ${step}`
  },
  AOT_BOOT_TIMEOUT: (seconds: string, reason: string, printed: string): string =>
    `Booting the application did not finish within ${seconds} s, while ${reason}.${printed}Find out what it waits for, or allow more time with \`--boot-timeout\`.`,
  AOT_BOOT_WITHOUT_INSTANCE: (): string =>
    'This file creates no instance when it boots, and exports no factory function or plugin. Pass the file that does.',
  AOT_BUNDLE_FAILS: (reason: string): string =>
    `This cannot be bundled: ${reason}. Correct it, or leave its package as it is with \`--external <package>\`.`,
  AOT_CODE_GENERATION: (
    packages: readonly string[],
    what: string,
    place: string,
    advice: string,
  ): string => {
    const [first] = packages
    const way = packages.length > 1 ? ` (${packages.join(' > ')})` : ''
    return `"${first}" may generate code when it runs: \`${what}\` at ${place}${way}. Where code generation is refused, as with \`--disallow-code-generation-from-strings\`, that throws. ${advice}`
  },
  AOT_COMPILER_VERSION: (name: string, installed: string, pinned: string): string =>
    `"${name}" is installed in version ${installed}, but this compiler needs exactly ${pinned}. Install ${pinned} there, and remove what overrides it.`,
  AOT_ENTRY_NOT_FOUND: (entry: string): string =>
    `There is no file "${entry}". Pass the file that creates or exports the application.`,
  AOT_ENTRY_NOT_STARTED: (entry: string): string =>
    `"${entry}" neither calls \`listen\` nor exports the application, so a process that runs it ends at once. Export the application, or let it listen.`,
  AOT_ENTRY_WITHOUT_INSTANCE: (entry: string, makers: readonly SourceLocation[]): string => {
    const does = `"${entry}" neither creates an instance nor exports a factory function or a plugin`
    const files = makers.map(({ file }) => file).join(', ')
    if (files === '') return `${does}. Pass the file that does.`
    return `${does} when it is loaded. An instance may be created in ${files}: pass that file, or call what makes it when the entry is loaded.`
  },
  AOT_ENTRY_WITHOUT_ROUTES: (entry: string): string =>
    `The instance that "${entry}" creates here gets no routes. Declare them when the entry is loaded, or pass the file that does.`,
  AOT_FACTORY_THROWS: (factory: string, reason: string): string =>
    `Calling ${factory} fails here: ${reason}. Correct it. If only the running application gets past this place, for example because of its environment, build with \`--trace\`.`,
  AOT_FILE_LEFT_OUT: (file: string, reason: string, by: 'module' | 'option' = 'option'): string => {
    const name =
      by === 'option'
        ? `name it: \`--include ${file}\``
        : `name it by a module, as \`new URL(path, import.meta.url)\` does`
    return `"${file}" isn't part of the deployment, because ${reason}. If it belongs there, ${name}. Otherwise give it to the application where that runs.`
  },
  AOT_FILE_NOT_FOUND: (file: string, isGiven: boolean): string =>
    isGiven
      ? `There is no "${file}" to include. Correct the path, or create the file before you deploy.`
      : `There is no "${file}", so it is missing in the deployment as well. Correct the path, or create the file before you deploy. If the application writes it itself, ignore this warning.`,
  AOT_FUNCTION_BROKEN: (what: string, reason: string): string =>
    `The ${what} can be compiled, but it fails when it is called: ${reason}. Correct the formats and keywords that it uses; they must not evaluate strings.`,
  AOT_FUNCTION_NOT_COMPARED: (what: string, reason: string): string =>
    `The artifact cannot detect later changes to ${what}: ${reason}. Build again whenever you edit it, or let it use nothing but its arguments.`,
  AOT_IMPORT_NOT_FOUND: (specifier: string): string =>
    `The module "${specifier}" cannot be found from here. Install or generate it, or correct the path.`,
  AOT_INIT_ENTRY: (): string =>
    'Neither a script nor a file with a usual name shows which file creates the application. Pass it: `framework init src/app.ts`.',
  AOT_INIT_FASTIFY: (version: string): string =>
    `The application depends on Fastify ${version}, and only 4 and 5 are known. Install one of them, or say what is to serve the application with \`--server\`.`,
  AOT_INIT_NOT_WRITABLE: (reason: string, unrestored: readonly string[]): string =>
    `The file cannot be changed: ${reason}. ${unrestored.length === 0 ? 'All files are as they were' : unrestored.join('; ')}.`,
  AOT_INIT_PACKAGE_JSON: (reason: string): string =>
    `The package.json cannot be changed: ${reason}. Correct it; \`npm init\` writes one.`,
  AOT_INIT_TARGET: (target: string, what: string): string =>
    `\`--server ${target}\` compiles for Fastify ${target.replace(/.*@/, '')}, and the application ${what}. Install that Fastify first, or leave \`--server\` out.`,
  AOT_INIT_WORKSPACE_ROOT: (folders: readonly string[]): string => {
    const those = folders.length === 0 ? 'a package of it' : `one of ${folders.join(', ')}`
    return `This is the root of a workspace. Call the command in the folder of the application, ${those}, or pass its entry.`
  },
  AOT_JSON_WITHOUT_TYPE: (specifier: string): string =>
    `Node refuses to import "${specifier}" without the type of the file. Write \`with { type: 'json' }\` behind it.`,
  AOT_KEY_BUNDLED: (file: string): string =>
    `"${file}" contains a private key and becomes part of the deployment's code, because a module imports it. Read it from the environment or from a file where the application runs.`,
  AOT_MEDIA_TYPE_WITHOUT_EFFECT: (mediaType: string, url: string, advice: string): string =>
    `No body of ${url} is validated by the schema for "${mediaType}": the media type of a request is compared in lower case and without parameters. ${advice}.`,
  AOT_MODULE_THROWS: (reason: string, module = 'this module'): string =>
    `Loading ${module} fails here: ${reason}. Correct it. If only the running application gets past this place, for example because of its environment, build with \`--trace\`.`,
  AOT_NAME_WITHOUT_EFFECT: (name: string, owner: string, hint: string): string =>
    `"${name}" has no effect in ${owner}: it neither validates nor serializes anything. ${hint}`,
  AOT_NODE_NOT_FOUND: (path: string, reason: string): string =>
    `"${path}" cannot be started as Node.js: ${reason}. Pass the one that will run the deployment with \`--node <path>\`.`,
  AOT_NODE_TOO_OLD: (option: string, least: string, path: string, version: string): string =>
    `\`--${option}\` needs Node ${least} or later, and "${path}" is ${version}. Pass the one that will run the deployment with \`--node <path>\`.`,
  AOT_OPENAPI_FAILS: (what: string, reason: string, isSecurity: boolean): string =>
    `@fastify/swagger cannot describe ${what}: ${reason}. ${isSecurity ? 'Correct it, and declare its schemes in the option `openapi.components.securitySchemes` of the plugin.' : 'Correct it.'}`,
  AOT_OPTIONS_NOT_STATIC: (option: string, why: string): string =>
    `The option \`${option}\` decides how schemas are compiled, but ${why}. ${stepFor(why, 'Make it a constant.')}`,
  AOT_OPTION_WITHOUT_EFFECT: (option: string, advice: string): string =>
    `The option \`${option}\` exists only in Fastify 5 and has no effect in \`framework\`: ${advice}. Remove it, or use \`framework/5\`.`,
  AOT_OTHER_LINE: (line: string): string =>
    `This instance answers like ${line}, unlike the rest of the application, and an artifact is for one line. Build an entry for each, and give each its artifact by \`aot: { artifact }\`.`,
  AOT_OUTPUT_LEADS_OUT: (folder: string, target: string): string =>
    `"${folder}" is a link to "${target}", outside of the folder of the artifact. Pass another path with \`--out\`, or remove the link.`,
  AOT_OUTPUT_NOT_OURS: (file: string): string =>
    `"${file}" would be overwritten, but no build wrote it. Pass another path with \`--out\`, or remove the file.`,
  AOT_OUTPUT_NOT_WRITABLE: (out: string, reason: string): string =>
    `Nothing can be written to "${out}": ${reason}. Pass another path with \`--out\`.`,
  AOT_PATTERN_FROM_DATA: (what: string): string =>
    `The ${what} takes a \`pattern\` from the data that it checks (\`$data\`): the sender chooses the regular expression, and a slow one can block the process for minutes. List the allowed patterns with \`enum\` or \`anyOf\`.`,
  AOT_PLUGIN_NOT_STATIC: (why: string): string =>
    `This plugin cannot be followed: ${why}. ${stepFor(why, 'Register an imported or a local function.')}`,
  AOT_PLUGIN_VERSION: (plugin: string, range: string, version: string, advice: string): string =>
    `${plugin} asks for Fastify ${range}, and this is ${version}: the application would not start. ${advice}`,
  AOT_PLUG_N_PLAY: (): string =>
    "Yarn Plug'n'Play keeps packages in archives, which the build cannot read. Set `nodeLinker: node-modules` in .yarnrc.yml, and run `yarn install`.",
  AOT_PREFIX_NOT_STATIC: (why: string): string =>
    `This prefix cannot be known without running the application: ${why}. The routes under it are compiled, and their URLs are shown with "/…". Make it a constant if the build should find routes that are declared twice.`,
  AOT_REFUSED_AT_START: (what: string, name: string | undefined, isPostponed: boolean): string => {
    const subject = name === undefined ? 'The application' : `"${name}"`
    const step = isPostponed
      ? 'Deploy with `--late-boot`, then the first request loads and boots the application.'
      : 'That is when its module is loaded, also with `--late-boot`, because the entry listens by itself, or exports what Workers need at start. Let the entry only export a function that creates the application, or move this code into a function.'
    return `${subject} ${what} while it starts, which Workers allow only during requests. ${step}`
  },
  AOT_REF_OUT_OF_SCOPE: (ref: string, contexts: readonly string[], holders: string): string => {
    const [one, ...others] = contexts
    const from = others.length === 0 ? `the context ${one}` : `the contexts ${contexts.join(', ')}`
    const to = others.length === 0 ? `${one} or to a parent of it` : 'a parent of them'
    return `"${ref}" is not visible from ${from}: its schema is added in ${holders}. Add it to ${to}.`
  },
  AOT_REF_UNRESOLVED: (ref: string, where: string, hint: string): string =>
    `"${ref}" ${where}. ${hint}`,
  AOT_RESPONSE_CONTENT_WITHOUT_SCHEMA: (part: string, contentType: string): string =>
    `The ${part} has no \`schema\` for the content type "${contentType}". Add \`schema\` to that entry.`,
  AOT_RESPONSE_STATUS_INVALID: (httpStatus: string): string =>
    `"${httpStatus}" is not a response status. Use 100 to 599, 1xx to 5xx, or default, and put the schema below it.`,
  AOT_ROUTE_DUPLICATE: (
    method: string,
    url: string,
    first: SourceLocation | undefined,
    registered?: SourceLocation | 'here',
  ): string => {
    const textOf = (at: SourceLocation): string => `${at.file}:${at.line}:${at.column}`
    if (registered === 'here') {
      return `"${method} ${url}" is declared here more than once: the application would not start. Look for a loop, or for a plugin that is registered twice.`
    }
    if (registered !== undefined) {
      return `This declares "${method} ${url}" a second time, after ${textOf(registered)}: the application would not start. Register the plugin once, or give it another prefix here.`
    }
    const where = first === undefined ? 'by a route with the same path' : `at ${textOf(first)}`
    const advice =
      method === 'HEAD'
        ? ' A GET route declares HEAD as well: declare the HEAD route before it, or give it `exposeHeadRoute: false`.'
        : ' Remove one of them, or tell them apart by `constraints`.'
    return `"${method} ${url}" is already declared, ${where}: the application would not start.${advice}`
  },
  AOT_ROUTE_NOT_STATIC: (what: string, why: string): string =>
    `The ${what} of this route cannot be known without running the application: ${why}. ${stepFor(why, 'Make it a constant.')}`,
  AOT_ROUTE_REFUSED: (method: string, url: string, reason: string): string =>
    `The router rejects "${method} ${url}": ${reason}. The application would not start: correct the URL.`,
  AOT_RULES_INVALID: (reason: string): string =>
    `The rules can't be read: ${reason}. Export the result of \`defineRules\` of "@framework/compiler" by default.`,
  AOT_RULE_BROKEN: (rule: string, subject: string, reason: string): string =>
    `${subject} breaks the rule "${rule}"${reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`}. Correct it, or add an exception with its reason to the rules.`,
  AOT_RULE_EXCEPTION_UNUSED: (rule: string, route: string): string =>
    `The exception of "${route}" from the rule "${rule}" isn't needed: no such route breaks it. Remove the exception.`,
  AOT_RULE_EXCEPTION_WITHOUT_REASON: (rule: string, route: string): string =>
    `The exception of "${route}" from the rule "${rule}" has no reason. Say why it may break the rule.`,
  AOT_RULE_FAILS: (rule: string, route: string, reason: string): string =>
    `The rule "${rule}" fails for ${route}: ${reason}. Correct the rule.`,
  AOT_RULE_UNKNOWN: (rule: string, known: string): string =>
    `There is no ready-made rule "${rule}", or it takes another value. Did you mean "${known}"? Your own rules are functions.`,
  AOT_SCHEMA_DUPLICATE_ID: (
    id: string,
    context: string,
    first: string,
    hint = 'Give one of them another `$id`.',
  ): string =>
    `A schema with the id "${id}" is already added in the context "${context}", at ${first}. ${hint}`,
  AOT_SCHEMA_DUPLICATE_QUERY: (url: string): string =>
    `The schema of "${url}" has both \`query\` and \`querystring\`, which mean the same. Keep one.`,
  AOT_SCHEMA_INVALID: (what: string, reason: string, hint = 'Correct the schema.'): string =>
    `The ${what} cannot be compiled: ${reason}. ${hint}`,
  AOT_SCHEMA_MISSING_ID: (): string => 'A schema given to `addSchema` needs a `$id`. Add one.',
  AOT_SCHEMA_NOT_STATIC: (what: string, why: string): string => {
    if (isNotJsonSchema(why)) return `The ${what} is not JSON Schema: ${why}. ${stepForObject(why)}`
    if (isFault(why)) return `The ${what} cannot be computed: ${why}. ${stepFor(why, '')}`
    return `The ${what} cannot be known without running the application: ${why}. ${stepFor(why, 'Move it to a constant.')}`
  },
  AOT_SCHEMA_REPLACED: (what: string, id: string, place: string): string =>
    `The ${what} has no effect: the schema that is added at ${place} has the same id "${id}" and validates instead, as in Fastify. Give one of them another \`$id\`, or write \`{ $ref: '${id}#' }\` here.`,
  AOT_SERIALIZERS_OLDER: (version: string): string =>
    `Fastify is installed with fast-json-stringify ${version}, and the compiled serializers match that. \`framework/fastify\` can't use them, because it serializes like 7.1.5 and later. Run \`npm update @fastify/fast-json-stringify-compiler\`, or with pnpm \`pnpm update -r --depth Infinity @fastify/fast-json-stringify-compiler\`, and build again, or build with \`--server framework\`. If the application stays on Fastify, make \`framework\` a development dependency.`,
  AOT_SERIALIZERS_UNLIKE: (version: string): string =>
    `fast-json-stringify ${version} is installed, but compiled serializers match only 5.13 to 7.0, and 7.1.5 or later. Fastify will compile its own serializers. Install another with \`npm update fast-json-stringify\`, and build again.`,
  AOT_START_FAILS: (reason: string, printed: string): string =>
    `The deployment is started once to keep what Node compiles, and that fails: ${reason}.${printed}Give it what it needs to start (environment, services), or deploy without \`--compile-cache\`.`,
  AOT_SYNTAX_ERROR: (reason: string): string => `${reason} Correct the syntax.`,
  AOT_TARGET_CONNECTIONS: (
    name: string,
    target: string,
    way: string,
    instead: 'listen' | 'node',
  ): string => {
    const next = instead === 'listen' ? 'Let the entry call `listen` itself, or deploy' : 'Deploy'
    return `"${name}" takes over connections, and on ${target} requests arrive without them (${way}): its routes answer as if no upgrade was requested. ${next} what needs it to node.`
  },
  AOT_TARGET_FETCH: (entry: string, target: string): string =>
    `"${entry}" exports an object with \`fetch\`, which ${target} does not call: nothing would be served. Export the application, or a function that returns it.`,
  AOT_TARGET_HANDLERS: (entry: string, names: readonly string[], target: string): string =>
    `"${entry}" exports ${names.map((name) => `\`${name}\``).join(', ')}, which ${target} does not call. Deploy to workerd, or start that work another way.`,
  AOT_TARGET_LACKS: (
    module: string,
    target: string,
    way: string,
    importer: 'application' | 'finder' | 'package',
  ): string => {
    const next = {
      application:
        'Remove what uses it, or load it with `import()` where it is used, and not there.',
      finder: 'The package reads folders to find your modules: import and register these by name.',
      package: 'Using it there throws: choose another package, or avoid that part of it.',
    }[importer]
    return `"node:${module}" does not work on ${target} (${way}). ${next}`
  },
  AOT_TARGET_PACKAGE: (name: string, target: string, way: string): string =>
    `"${name}" cannot be bundled, because it loads a binary or was asked for with \`--external\`, and ${target} has no packages beside the bundle (${way}). Choose another package, or deploy what needs it to node.`,
  AOT_TARGET_PROCESS: (file: string, target: string): string =>
    `"${file}" is started as a thread or a process, and ${target} has neither. Call what it does instead, or deploy what needs it to node.`,
  AOT_VERIFY_CONTEXT: (difference: string): string =>
    `The booted application differs from its source: ${difference}. Report it with this source, and build with \`--trace\` meanwhile.`,
  AOT_VERIFY_OPTIONS: (option: string, difference: string): string =>
    `The booted application differs from its source in the option \`${option}\`: ${difference}. Make it a constant.`,
  AOT_VERIFY_ROUTE: (route: string, difference: string): string =>
    `The route ${route} of the booted application differs from its source: ${difference}. Report it with this source, and build with \`--trace\` meanwhile.`,
  AOT_VERIFY_SCHEMA: (id: string, context: string, difference: string): string =>
    `The shared schema "${id}" of the context "${context}" differs from the source in the booted application: ${difference}. Report it with this source, and build with \`--trace\` meanwhile.`,
  AOT_WRANGLER_SETTINGS: (file: string, reason: string): string =>
    `"${file}" cannot be used for the deployment: ${reason}. Correct it.`,
} as const

/** End of the reason why two instances of Fastify can't be told apart: their options differ only in the source of a function. */
export const ALIKE = "and the running application can't tell them apart"

/** Returns the next step for a reason, or `otherwise`. */
function stepFor(why: string, otherwise: string): string {
  if (why === 'it is a symbol') {
    return 'Remove it, or name its keyword in the option `ajv.customOptions.keywords`.'
  }
  if (
    /^it is (?:a bigint|a class|a function|a map or a set|an object of the class .*)$/.test(why)
  ) {
    return 'Schemas are plain data: write a number, a text, a list or an object literal.'
  }
  if (isFault(why)) return stepForFault(why)
  if (why.endsWith('gives other values in each run')) {
    return 'Write it in the source, or let the application read it from a file.'
  }
  if (why.endsWith(ALIKE)) return 'Give one of them an option that the other lacks.'
  if (/^it throws\b/.test(why)) {
    return 'Correct it. If only the running application gets past this place, for example because of its environment, build with `--trace`.'
  }
  if (why.endsWith('is not declared in the source')) {
    return 'Declare or import it. If only the running application has it, build with `--trace`.'
  }
  if (isMissingModule(why)) return 'Install or generate what is missing before the build.'
  return /package "[^"]+" cannot be loaded/.test(why)
    ? 'Make sure that it can be loaded where the application is built.'
    : otherwise
}

export type DiagnosticCode = keyof typeof messages

/** Creates a diagnostic. The arguments are those of its message. */
export function diagnostic<C extends DiagnosticCode>(
  code: C,
  at: SourceLocation,
  ...args: Parameters<(typeof messages)[C]>
): Diagnostic {
  const format = messages[code] as (...args: unknown[]) => string
  return { code, message: format(...args), at }
}

/** Creates a diagnostic that doesn't fail the build. */
export function warning<C extends DiagnosticCode>(
  code: C,
  at: SourceLocation,
  ...args: Parameters<(typeof messages)[C]>
): Diagnostic {
  return { ...diagnostic(code, at, ...args), isWarning: true }
}
