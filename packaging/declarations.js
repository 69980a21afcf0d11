/**
 * Writes the declarations of the package, one set for `import` and `require`. TypeScript takes in what an application
 * declares for `framework`, and plugins for `fastify`, only when all of it leads to one and the same file.
 *
 * They are CommonJS, whose types ES modules may import in all versions of TypeScript; the other way round only in the
 * latest. And it is true either way: what is exported by name also stands on what is exported as a whole.
 */
import { join, relative, resolve } from 'node:path'
import { ts } from 'ts-morph'

/** The entries that are a function, by the name that it is also exported under. */
const functions = { index: 'framework', 5: 'framework', plugin: 'fastifyPlugin' }

/** The entries that create applications, and the classes that each has besides. */
const factories = { 'index.d.ts': [], '5.d.ts': ['LogController'] }

/** The modules of Fastify that contain nothing but types, in the names of 4 and 5. Plugins import some of them. */
const typeModules = [
  'content-type-parser',
  'context',
  'errors',
  'hooks',
  'instance',
  'logger',
  'plugin',
  'register',
  'reply',
  'request',
  'route',
  'schema',
  'server-factory',
  'serverFactory',
  'type-provider',
  'utils',
].flatMap((name) => [`fastify/types/${name}`, `fastify/types/${name}.js`])

/** @param {string} folder what the type checker has written */
export const packageDeclarations = (folder, entries) => ({
  name: 'package-declarations',
  generateBundle() {
    const write = (fileName, source) => this.emitFile({ type: 'asset', fileName, source })
    const program = programOf(folder, entries)
    const files = filesOf(program, folder)
    for (const { file, text } of files) {
      const added = factories[file]
      // All lines have the types of one function. Only `framework/5` adds its line to those of the program.
      const [augmentation = ''] = text.match(/^declare module '\.[^]*?^\}\n/m) ?? []
      const source = added
        ? augmentation + files.find((one) => one.file === 'index.d.ts').text
        : text
      const code = asCommonJs(source)
      write(
        join('declarations', file.replace(/ts$/, 'cts')),
        added ? withNamespace(code, program, resolve(folder, 'types/index.d.ts'), added) : code,
      )
    }
    for (const entry of entries) {
      const from = `'./declarations/${entry}.cjs'`
      // Only ES modules import it: artifacts.
      if (entry === 'internal') {
        write('internal.d.ts', `export * from ${from}\n`)
        continue
      }
      const name = functions[entry]
      // TypeScript looks for the module of `declare module 'framework'` only among those that are imported.
      const index = entry === 'index' ? '' : "import type {} from './index.cjs'\n"
      const asFunction = `import { ${name} } from ${from}\n${index}export = ${name}\n`
      write(`${entry}.d.cts`, name ? asFunction : `export * from ${from}\n`)
    }
    write('fastify.d.cts', asFastify)
  },
})

/** Makes `framework` answer for `fastify` in the type checker, also where Fastify is installed. */
const asFastify = `// Plugins for Fastify declare their decorators and options for the module \`fastify\`. With this file in a program they are declared for
// \`framework\`. In a program that imports \`framework/5\`, its types are those of Fastify 5.
//
//     "compilerOptions": { "types": ["node", "framework/fastify"] }
${['fastify', ...typeModules]
  .map(
    (name) =>
      `declare module '${name}' {\n  import framework = require('framework')\n  export = framework\n}\n`,
  )
  .join('')}`

/** Takes the declarations of ES modules along as they are, with all that they import from `folder`. */
export const declarationsBelow = (folder, entries) => ({
  name: 'declarations-below',
  generateBundle() {
    for (const { file, text } of filesOf(programOf(folder, entries), folder)) {
      this.emitFile({ type: 'asset', fileName: join('types', file), source: text })
    }
  },
})

function programOf(folder, entries) {
  return ts.createProgram(
    entries.map((entry) => resolve(folder, `${entry}.d.ts`)),
    { module: ts.ModuleKind.NodeNext, noLib: true, types: [] },
  )
}

function filesOf(program, folder) {
  return program
    .getSourceFiles()
    .map(({ fileName, text }) => ({ file: relative(folder, fileName), text }))
    .filter(({ file }) => !file.startsWith('..'))
}

/** Rewrites imports as `rewriteRelativeImportExtensions` does in code. */
function asCommonJs(text) {
  return text.replaceAll(/(?<=(?:from|import|module) '\.[^']*)\.ts(?=')/g, '.cjs')
}

/**
 * Makes the function a namespace that holds all types as well, since TypeScript sees nothing of the module but the
 * function.
 */
function withNamespace(text, program, types, classes) {
  const module = program.getTypeChecker().getSymbolAtLocation(program.getSourceFile(types))
  const exported = program.getTypeChecker().getExportsOfModule(module)
  const names = exported
    .map(({ name }) => name)
    .filter((name) => !classes.includes(name))
    .join(', ')
  const values = ['errorCodes', ...classes].join(', ')
  const declared = classes.map(
    (name) =>
      `import type * as types from './types/index.cjs'\ndeclare const ${name}: types.${name}Class\ntype ${name} = types.${name}\n`,
  )
  return `${text.replace(/import type \{.*\} from '.\/types\/index.cjs';\n/, '')}
import type { ${names} } from './types/index.cjs'
import self = framework
${declared.join('')}export declare namespace framework {
  export { self as default, self as fastify, self as framework, ${values} }
  export type { FrameworkFactory, ${names} }
}
`
}
