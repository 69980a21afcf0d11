import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { valueNames } from '../parse.ts'
import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { declareHoisted } from '../interpreter/hoisting.ts'
import type { Machine } from '../values/machine.ts'
import type { ModuleGraph } from '../values/services.ts'
import { describeThrown, Thrown } from '../values/thrown.ts'
import { Scope } from '../values/scope.ts'
import { native, object, primitive, type Value, undefinedValue, unknown } from '../values/index.ts'
import type { PackageImport, SourceGraph } from '../../model/index.ts'
import { importedNames, isUsedAsValue } from './imports.ts'
import { namedModules } from './package-imports.ts'
import { Resolver } from './resolution.ts'
import { CompilerOptions } from './compiler-options.ts'
import {
  exportNames,
  exportsOf,
  hasExportEquals,
  notExported,
  readExport,
  readSource,
  valueSource,
} from './exports.ts'
import type { ModuleRecord, ModuleSource } from './exports.ts'
import { declaredExports, usesModuleSyntax } from './declarations.ts'

/** What the interpreter knows of packages without looking into them. */
export type KnownPackages = (specifier: string) => Value | undefined

/** Loads source files in the order in which the application would, and links what they export. */
export class Modules implements ModuleGraph {
  readonly #machine: Machine
  readonly #known: KnownPackages
  readonly #globals: Scope
  readonly #resolver: Resolver
  readonly #compilerOptions: CompilerOptions
  /** Files with syntax errors. */
  readonly #broken = new Set<string>()
  readonly #records = new Map<string, ModuleRecord>()
  /** Files that are loaded by names which are no literals. */
  readonly loadedByName: Set<string> = new Set()

  constructor(machine: Machine, known: KnownPackages, globals: Scope) {
    this.#machine = machine
    this.#known = known
    this.#globals = globals
    this.#resolver = new Resolver(machine.project.files)
    this.#compilerOptions = new CompilerOptions(machine.project.files)
  }

  /** A variable that every module sees. */
  global(name: string): Value {
    const binding = this.#globals.own(name)
    return binding?.read?.() ?? binding?.value ?? undefinedValue
  }

  hasLegacyDecorators(file: string): boolean {
    return this.#compilerOptions.hasLegacyDecorators(file)
  }

  get records(): Iterable<ModuleRecord> {
    return this.#records.values()
  }

  /** Runs a source file once. */
  load(file: string): ModuleRecord | undefined {
    const existing = this.#records.get(file)
    if (existing !== undefined) return existing
    const m = this.#machine
    const source = m.project.parse(file)
    if (source === undefined) return undefined
    const record = this.#createRecord(file, source)
    this.#records.set(file, record)
    const problem = m.project.syntaxProblem(source)
    if (problem !== undefined) {
      m.report('AOT_SYNTAX_ERROR', problem.at, problem.reason)
      this.#broken.add(file)
      return record
    }
    if (file.endsWith('.json')) {
      const [statement] = source.statements
      const value =
        statement !== undefined && ts.isExpressionStatement(statement)
          ? m.evaluate(statement.expression, record.scope)
          : undefinedValue
      record.commonJs.members.set('exports', { value, at: source })
      return record
    }
    this.#link(record, source)
    declareHoisted(m, source.statements, record.scope)
    const { own } = m.tries
    m.tries.own = 0
    try {
      m.journal.apart(() => m.execute(source.statements, record.scope))
    } catch (error) {
      if (!(error instanceof Thrown)) throw error
      const at = m.project.locate(error.at ?? source)
      const { file } = m.project.locate(source)
      // What it calls may stand in another one.
      const elsewhere = at.file === file ? [] : [`"${file}"`]
      m.report('AOT_MODULE_THROWS', at, describeThrown(error.value), ...elsewhere)
    } finally {
      m.tries.own = own
    }
    return record
  }

  /** The files that were loaded. */
  files(): string[] {
    return [...this.#records.values()].map(({ file }) => file)
  }

  /** Where the files that were loaded import packages, and the names that these files mention. */
  packages(): Pick<SourceGraph, 'packages' | 'names'> {
    const { project } = this.#machine
    const packages: PackageImport[] = []
    const names = new Set<string>()
    for (const { file } of this.#records.values()) {
      const source = project.parse(file)
      if (source === undefined) continue
      for (const name of valueNames(source)) names.add(name)
      for (const { specifier, node, isRequired } of namedModules(source)) {
        const conditions = ['node', isRequired ? 'require' : 'import']
        if (this.#resolver.resolve(specifier, file, conditions).type !== 'package') continue
        packages.push({
          specifier,
          importer: file,
          isRequired,
          at: project.locate(node),
        })
      }
    }
    return { packages, names }
  }

  importMeta(file: string, at: Node): Value {
    const result = object(at)
    const set = (name: string, text: string): void => {
      result.members.set(name, { value: primitive(text, at), at })
    }
    set('url', pathToFileURL(file).href)
    set('filename', file)
    set('dirname', path.dirname(file))
    const resolve = native('import.meta.resolve', ({ args, at: place }) => {
      const specifier = this.#machine.known(args[0] ?? undefinedValue)
      if (specifier.kind !== 'primitive') return unknown('the module name is not known', place)
      const found = this.resolve(String(specifier.value), file)
      return found === undefined
        ? unknown('the module cannot be found', place)
        : primitive(pathToFileURL(found).href, place)
    })
    result.members.set('resolve', { value: resolve, at })
    return result
  }

  /** The file that a specifier means; `undefined` for packages. */
  resolve(specifier: string, importer: string): string | undefined {
    const found = this.#resolver.resolve(specifier, importer, ['node', 'import', 'require'])
    return found.type === 'file' || found.type === 'package' ? found.file : undefined
  }

  /** What loading a file gives: the namespace of an ES module, or the exports of a CommonJS one. */
  contentOf(file: string, at: Node): Value | undefined {
    this.loadedByName.add(file)
    const record = this.load(file)
    if (record === undefined) return undefined
    if (this.#broken.has(file)) {
      return { ...unknown('the file has a syntax error', at), reported: true }
    }
    return record.isEsm && !hasExportEquals(record) ? record.namespace : exportsOf(record)
  }

  importDynamically(specifier: Value, importer: string, at: Node): Value {
    if (specifier.kind === 'choice') {
      return this.#machine.fork(
        specifier.options.map((option) => () => this.importDynamically(option, importer, at)),
        at,
        specifier.key,
      )
    }
    if (specifier.kind === 'unknown') return specifier
    if (specifier.kind !== 'primitive') return unknown('which module is imported is not known', at)
    const source = this.#source(String(specifier.value), importer, at, false)
    this.#noteName(source, at)
    return source.type === 'record' ? source.record.namespace : source.whole
  }

  #noteName(source: ModuleSource, at: Node): void {
    const [name] = ts.isCallExpression(at) ? at.arguments : []
    if (source.type === 'record' && name !== undefined && !ts.isStringLiteralLike(name)) {
      this.loadedByName.add(source.record.file)
    }
  }

  /** The values that a module exports by name, the default export first. */
  namedExportsOf(record: ModuleRecord): [name: string, value: Value][] {
    const names = exportNames(record).filter((name) => name !== 'default')
    return ['default', ...names].flatMap((name): [string, Value][] => {
      const value = readExport(record, name)
      return value === undefined ? [] : [[name, value]]
    })
  }

  /** The values that a module exports, the default export first. */
  exportsOf(record: ModuleRecord): Value[] {
    return this.namedExportsOf(record).map(([, value]) => value)
  }

  /** What `require(specifier)` returns. */
  require(specifier: string, importer: string, at: Node): Value {
    const source = this.#source(specifier, importer, at, true)
    this.#noteName(source, at)
    if (source.type === 'value') return source.whole
    const { record } = source
    if (!record.isEsm) return exportsOf(record)
    const replaced = record.exports.get('module.exports')?.()
    return replaced ?? (hasExportEquals(record) ? exportsOf(record) : record.namespace)
  }

  /** `import x = require('y')` and `import x = A.B`. */
  importEquals(node: ts.ImportEqualsDeclaration, scope: Scope): void {
    const { moduleReference } = node
    const value = ts.isExternalModuleReference(moduleReference)
      ? this.require((moduleReference.expression as ts.StringLiteral).text, scope.file, node)
      : this.#entityName(moduleReference, scope)
    scope.declare(node.name.text, value)
  }

  #entityName(name: ts.EntityName, scope: Scope): Value {
    if (ts.isIdentifier(name)) return this.#machine.evaluate(name, scope)
    const owner = this.#entityName(name.left, scope)
    return this.#machine.get(owner, primitive(name.right.text, name), name)
  }

  exportAssignment(file: string, value: Value, isEquals: boolean): void {
    const record = this.#records.get(file)
    if (record === undefined) return
    if (isEquals) record.commonJs.members.set('exports', { value, at: undefined })
    else record.exports.set('default', () => value)
  }

  #createRecord(file: string, source: ts.SourceFile): ModuleRecord {
    const isEsm = ts.isExternalModule(source) || /\.m[jt]s$/.test(file) || usesModuleSyntax(source)
    const commonJs = object(source, {
      exotic: (key, at) =>
        unknown(`\`module.${String(key)}\` is known only where the application runs`, at),
    })
    const exported = object(source)
    commonJs.members.set('exports', { value: exported, at: undefined })
    const scope = new Scope(this.#globals, file, {
      thisValue: isEsm ? undefinedValue : exported,
      home: undefined,
      isStatic: false,
      newTarget: undefined,
      yields: undefined,
    })
    const exports = new Map<string, () => Value | undefined>()
    const stars: ModuleSource[] = []
    const record: ModuleRecord = {
      file,
      isEsm,
      scope,
      exports,
      stars,
      commonJs,
      namespace: {
        kind: 'namespace',
        file,
        read: (name) => readExport(record, name),
        names: () => exportNames(record),
        at: source,
      },
    }
    this.#declareGlobals(record)
    return record
  }

  #declareGlobals({ file, scope, commonJs }: ModuleRecord): void {
    // TypeScript that is compiled to CommonJS uses these beside import statements.
    const m = this.#machine
    scope.declare('module', commonJs)
    scope.declareLive('exports', () => commonJs.members.get('exports')?.value)
    scope.declare('__filename', primitive(file, undefined))
    scope.declare('__dirname', primitive(path.dirname(file), undefined))
    scope.declare('require', this.createRequire(file, m))
  }

  /** A `require` function for a file. */
  createRequire(file: string, m: Machine): Value {
    const require = native('require', ({ args, at }) => {
      const specifier = m.known(args[0] ?? undefinedValue)
      if (specifier.kind === 'unknown') return specifier
      if (specifier.kind !== 'primitive')
        return unknown('which module is required is not known', at)
      return this.require(String(specifier.value), file, at)
    })
    const resolve = native('require.resolve', ({ args, at }) => {
      const specifier = m.known(args[0] ?? undefinedValue)
      const found =
        specifier.kind === 'primitive' ? this.resolve(String(specifier.value), file) : undefined
      return found === undefined ? unknown('the module cannot be found', at) : primitive(found, at)
    })
    require.members.set('resolve', { value: resolve, at: undefined })
    require.members.set('main', { value: undefinedValue, at: undefined })
    return require
  }

  #link(record: ModuleRecord, source: ts.SourceFile): void {
    const { file, scope, exports } = record
    for (const statement of source.statements) {
      if (ts.isImportDeclaration(statement)) {
        const names = importedNames(statement).filter(({ local }) => isUsedAsValue(source, local))
        const isBare = statement.importClause === undefined
        if (names.length === 0 && !isBare) continue
        const from = this.#sourceOf(statement.moduleSpecifier, file)
        for (const { local, name } of names) {
          const at = statement.moduleSpecifier as ts.StringLiteral
          scope.declareLive(local, () => readSource(from, name) ?? notExported(from, name, at))
        }
      } else if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) {
        this.#linkExport(record, statement)
      } else {
        for (const { name, local } of declaredExports(statement)) {
          exports.set(name, () => scope.own(local)?.value)
        }
      }
    }
  }

  #linkExport(record: ModuleRecord, node: ts.ExportDeclaration): void {
    const { exportClause, moduleSpecifier } = node
    const from =
      moduleSpecifier === undefined ? undefined : this.#sourceOf(moduleSpecifier, record.file)
    if (exportClause === undefined) {
      if (from !== undefined) record.stars.push(from)
    } else if (ts.isNamespaceExport(exportClause)) {
      if (from !== undefined)
        record.exports.set(exportClause.name.text, () => readSource(from, '*'))
    } else {
      for (const element of exportClause.elements) {
        if (element.isTypeOnly) continue
        const local = (element.propertyName ?? element.name).text
        record.exports.set(element.name.text, () => {
          if (from !== undefined) return readSource(from, local)
          const binding = record.scope.own(local)
          return binding?.read === undefined ? binding?.value : binding.read()
        })
      }
    }
  }

  #sourceOf(specifier: ts.Expression, importer: string): ModuleSource {
    const text = ts.isStringLiteral(specifier) ? specifier.text : ''
    return this.#source(text, importer, specifier, false)
  }

  #source(specifier: string, importer: string, at: Node, required: boolean): ModuleSource {
    const m = this.#machine
    const known = this.#known(specifier)
    if (known !== undefined) return valueSource(m, known, at)
    const conditions = required ? ['node', 'require'] : ['node', 'import']
    const found = this.#resolver.resolve(specifier, importer, conditions)
    switch (found.type) {
      case 'file': {
        if (!/\.([cm]?[jt]sx?|json)$/.test(found.file)) {
          return valueSource(m, unknown(`"${specifier}" is no source file`, at), at)
        }
        const record = this.load(found.file)
        if (this.#broken.has(found.file)) {
          return valueSource(
            m,
            { ...unknown('the file has a syntax error', at), reported: true },
            at,
          )
        }
        if (record !== undefined) return { type: 'record', record }
        break
      }
      case 'builtin':
      case 'package': {
        const name = found.type === 'builtin' ? `node:${found.specifier}` : specifier
        return {
          type: 'value',
          read: (member) =>
            m.deferrals.import({ specifier: name, importer, name: member, required }, at),
          whole: m.deferrals.import({ specifier: name, importer, name: '*', required }, at),
        }
      }
      case 'missing':
    }
    // It may be there only when the application runs, as generated clients are. A package may also be optional.
    const isOwn = specifier.startsWith('.') || specifier.startsWith('#')
    if (isOwn) m.warn('AOT_IMPORT_NOT_FOUND', m.project.locate(at), specifier)
    const missing = unknown(`the module "${specifier}" cannot be found`, at)
    return valueSource(m, { ...missing, missing: { specifier, at } }, at)
  }
}
