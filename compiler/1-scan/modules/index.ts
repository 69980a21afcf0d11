/** Loads the files of the application in the order in which the application would, and links what they export. */
import path from 'node:path'
import { valueNames } from '../../util/source/parse.ts'
import { ts, type Node } from '../../util/source/project.ts'
import { declareHoisted } from '../interpreter/hoisting.ts'
import type { Machine } from '../values/machine.ts'
import type { ExportedName, ModuleGraph } from '../values/interfaces.ts'
import { optionsOf } from '../values/choices.ts'
import { asMain, forEachOption } from '../values/conditions.ts'
import { Thrown, thrownError } from '../values/thrown.ts'
import { readBinding, Scope } from '../values/scope.ts'
import { object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { Unknown, Value } from '../values/index.ts'
import type { PackageImport, SourceGraph } from '../../model/index.ts'
import { moduleKindOf } from '../../util/module-kind.ts'
import { nodeConditions } from '../../util/node-conditions.ts'
import { createImportMeta, createRequire } from './loaders.ts'
import { Resolver, type Resolution } from '../../util/modules/resolution.ts'
import { CompilerOptions } from '../../util/modules/compiler-options.ts'
import {
  createRecord,
  exportNames,
  exportsOf,
  notExported,
  readExport,
  readSource,
  valueSource,
  contentOf,
} from './exports.ts'
import type { ModuleRecord, ModuleSource } from './exports.ts'
import { declaredExports, namedModules, usedImports } from './module-syntax.ts'

type PackageName = Parameters<ModuleGraph['dependsOn']>[0]

type KnownPackages = (specifier: string) => Value | undefined

export class Modules implements ModuleGraph {
  readonly #machine: Machine
  readonly #known: KnownPackages
  readonly globals: Scope
  readonly #resolver: Resolver
  readonly #conditions: readonly string[]
  readonly #compilerOptions: CompilerOptions
  readonly #broken = new Set<string>()
  readonly #records = new Map<string, ModuleRecord>()
  /** Files that are loaded by computed names. */
  readonly loadedByName: Set<string> = new Set()

  constructor(machine: Machine, known: KnownPackages, globals: Scope) {
    this.#machine = machine
    this.#known = known
    this.globals = globals
    this.#resolver = new Resolver(machine.project.files)
    this.#conditions = nodeConditions(machine.project.root)
    this.#compilerOptions = new CompilerOptions(machine.project.files)
  }

  global(name: string): Value {
    return readBinding(this.globals.own(name)) ?? undefinedValue
  }

  hasLegacyDecorators(file: string): boolean {
    return this.#compilerOptions.hasLegacyDecorators(file)
  }

  /** Runs a source file once; `undefined` if it can't be read. */
  load(file: string): ModuleRecord | undefined {
    const existing = this.#records.get(file)
    if (existing !== undefined) return existing
    const m = this.#machine
    const source = m.project.parse(file)
    if (source === undefined) return undefined
    const record = this.#createRecord(file, source)
    this.#records.set(file, record)
    record.scope.declare('require', this.createRequire(file))
    const problem = m.project.syntaxProblem(source)
    if (problem !== undefined) {
      m.report('AOT_SYNTAX_ERROR', problem.at, problem.reason)
      this.#broken.add(file)
    } else if (file.endsWith('.json')) {
      const [statement] = source.statements
      const isValue = statement !== undefined && ts.isExpressionStatement(statement)
      const value = isValue ? m.evaluate(statement.expression, record.scope) : undefinedValue
      record.commonJs.members.set('exports', { value, at: source })
    } else this.#run(record, source)
    return record
  }

  #run(record: ModuleRecord, source: ts.SourceFile): void {
    const m = this.#machine
    // Modules of a cycle call each other's functions before their statements have run.
    declareHoisted(m, source.statements, record.scope)
    this.#link(record, source)
    const { inFunction } = m.tries
    m.tries.inFunction = 0
    try {
      m.journal.unconditionally(() => m.execute(source.statements, record.scope))
    } catch (error) {
      // The `try` around the code that loads the module catches it.
      if (!(error instanceof Thrown) || inFunction > 0) throw error
      m.reportThrown(error, source)
    } finally {
      m.tries.inFunction = inFunction
    }
  }

  /** Returns the loaded files, the places where they import packages, all names that these files mention, and the compiled files that they stand for. */
  packages(): Pick<SourceGraph, 'files' | 'packages' | 'names' | 'compiled'> {
    const { project } = this.#machine
    const packages: PackageImport[] = []
    const names = new Set<string>()
    for (const file of this.#records.keys()) {
      const source = project.parse(file)
      if (source === undefined) continue
      for (const name of valueNames(source)) names.add(name)
      for (const { node, hasAttributes, ...named } of namedModules(source)) {
        const resolution = this.#resolve(named.specifier, file, named.isRequired)
        // TypeScript is compiled or run by programs that may load JSON themselves.
        const isJson = 'file' in resolution && resolution.file?.endsWith('.json')
        if (isJson && !hasAttributes && !named.isRequired && /\.m?js$/.test(file))
          this.#machine.warn('AOT_JSON_WITHOUT_TYPE', project.locate(node), named.specifier)
        if (resolution.type !== 'package') continue
        packages.push({ ...named, importer: file, at: project.locate(node) })
      }
    }
    const files = new Set(this.#records.keys())
    return { files, packages, names, compiled: this.#resolver.compiledFor(files) }
  }

  importMeta(file: string, at: Node): Value {
    return createImportMeta(this.#machine, file, file === this.#entryFile, at)
  }

  createRequire(file: string): Value {
    const load = (specifier: string, at: Node): Value => this.require(specifier, file, at)
    return createRequire(this.#machine, file, this.#mainModule(), load)
  }

  get #entryFile(): string {
    return this.#machine.entryFile.getSourceFile().fileName
  }

  /** Returns `require.main`: the entry, unless another module loads it. Modules that `import` leads to have none. */
  #mainModule(): Value {
    const m = this.#machine
    const entry = this.#records.get(this.#entryFile)
    if (entry === undefined || entry.isEsm) return undefinedValue
    const why = 'which module loads the entry is known only where the application runs'
    const other = object(m.entryFile, { computeMember: (_, at) => unknown(why, at) })
    return asMain(m, entry.commonJs, other)
  }

  /** Returns the file of a module; `undefined` for built-in and missing ones. */
  resolve(specifier: string, importer: string, isRequired = false): string | undefined {
    const resolution = this.#resolve(specifier, importer, isRequired)
    return resolution.type === 'file' || resolution.type === 'package' ? resolution.file : undefined
  }

  dependsOn({ specifier, importer }: PackageName, name: string): boolean {
    return this.#resolver.dependenciesOf(specifier, importer).has(name)
  }

  #resolve(specifier: string, importer: string, isRequired: boolean): Resolution {
    const kind = isRequired ? 'require' : 'import'
    return this.#resolver.resolve(specifier, importer, [...this.#conditions, kind])
  }

  /** Returns the namespace of an ES module, or the exports of a CommonJS one. */
  contentOf(file: string, at: Node): Value | undefined {
    this.loadedByName.add(file)
    const record = this.load(file)
    return record && (this.#brokenValue(file, at) ?? contentOf(record))
  }

  #brokenValue(file: string, at: Node): Unknown | undefined {
    if (!this.#broken.has(file)) return undefined
    return { ...unknown('the file has a syntax error', at), reported: true }
  }

  importDynamically(specifier: Value, importer: string, at: Node): Value {
    if (specifier.kind === 'choice') {
      const load = (one: Value): Value => this.importDynamically(one, importer, at)
      return forEachOption(this.#machine, specifier, at, load)
    }
    if (specifier.kind === 'unknown') return specifier
    if (specifier.kind !== 'primitive') return unknown('which module is imported is not known', at)
    const source = this.#source(String(specifier.value), importer, at, false)
    this.#noteComputedName(source, at)
    return source.type === 'record' ? source.record.namespace : source.content
  }

  require(specifier: string, importer: string, at: Node): Value {
    const source = this.#source(specifier, importer, at, true)
    this.#noteComputedName(source, at)
    if (source.type === 'value') return source.content
    const { record } = source
    // An ES module may export what `require` returns by this name.
    const replaced = record.isEsm ? record.exports.get('module.exports')?.() : undefined
    return replaced ?? contentOf(record)
  }

  #noteComputedName(source: ModuleSource, at: Node): void {
    const [name] = ts.isCallExpression(at) ? at.arguments : []
    if (source.type === 'record' && name !== undefined && !ts.isStringLiteralLike(name)) {
      this.loadedByName.add(source.record.file)
    }
  }

  /** Returns the exports by name, the default export first. */
  namedExportsOf(record: ModuleRecord): [name: string, value: Value][] {
    const names = exportNames(record).filter((name) => name !== 'default')
    return ['default', ...names].flatMap((name): [string, Value][] => {
      const value = readExport(record, name)
      return value === undefined ? [] : [[name, value]]
    })
  }

  exportsByFunction(): Map<Value, ExportedName[]> {
    const names = new Map<Value, ExportedName[]>()
    for (const record of this.#records.values()) {
      const { file } = record
      for (const [name, value] of this.namedExportsOf(record)) {
        if (value.kind !== 'function') continue
        const isOwn = value.node.getSourceFile().fileName === file
        const all = names.get(value) ?? []
        if (isOwn) all.unshift({ file, name })
        else all.push({ file, name })
        names.set(value, all)
      }
    }
    return names
  }

  exportsOf(record: ModuleRecord): Value[] {
    return this.namedExportsOf(record).flatMap(([, value]) => optionsOf(value))
  }

  /** Runs `import x = require('y')` and `import x = A.B`. */
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

  /** Runs `export default value` and `export = value`. */
  exportAssignment(file: string, value: Value, isEquals: boolean): void {
    const record = this.#records.get(file)
    if (isEquals) record?.commonJs.members.set('exports', { value, at: undefined })
    else record?.exports.set('default', () => value)
  }

  #createRecord(file: string, source: ts.SourceFile): ModuleRecord {
    const isEsm = ts.isExternalModule(source) || /\.m[jt]s$/.test(file)
    const exported = object(source)
    const scope = new Scope(this.globals, file, { thisValue: isEsm ? undefinedValue : exported })
    const record = createRecord(source, isEsm, scope, exported)
    // TypeScript that is compiled to CommonJS uses these beside import statements.
    scope.declare('module', record.commonJs)
    scope.declareLive('exports', () => exportsOf(record))
    scope.declare('__filename', primitive(file, undefined))
    scope.declare('__dirname', primitive(path.dirname(file), undefined))
    return record
  }

  #link(record: ModuleRecord, source: ts.SourceFile): void {
    const { file, scope, exports } = record
    for (const { name, local } of source.statements.flatMap(declaredExports))
      exports.set(name, () => scope.own(local)?.value)
    for (const statement of source.statements) {
      if (ts.isImportDeclaration(statement)) {
        const names = usedImports(statement)
        if (names === undefined) continue
        const from = this.#sourceOf(statement.moduleSpecifier, file)
        for (const { local, name } of names) {
          const at = statement.moduleSpecifier as ts.StringLiteral
          scope.declareLive(
            local,
            () => readSource(from, name) ?? notExported(from, name, at) ?? early(from),
          )
        }
      } else if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) {
        this.#linkExport(record, statement)
      }
    }
  }

  #linkExport(record: ModuleRecord, { exportClause, moduleSpecifier }: ts.ExportDeclaration): void {
    const { exports, stars, scope } = record
    const from = moduleSpecifier && this.#sourceOf(moduleSpecifier, record.file)
    if (exportClause === undefined) {
      if (from !== undefined) stars.push(from)
    } else if (ts.isNamespaceExport(exportClause)) {
      if (from !== undefined) exports.set(exportClause.name.text, () => readSource(from, '*'))
    } else {
      for (const element of exportClause.elements) {
        if (element.isTypeOnly) continue
        const local = (element.propertyName ?? element.name).text
        exports.set(element.name.text, () => {
          if (from !== undefined) return readSource(from, local)
          return readBinding(scope.own(local))
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
    const resolution = this.#resolve(specifier, importer, required)
    if (resolution.type === 'builtin' || resolution.type === 'package') {
      const name = resolution.type === 'builtin' ? `node:${resolution.specifier}` : specifier
      const read = (member: string): Value =>
        m.deferrals.import({ specifier: name, importer, name: member, required }, at)
      return { type: 'value', read, content: read('*') }
    }
    if (resolution.type === 'file') {
      if (!/\.([cm]?[jt]sx?|json)$/.test(resolution.file)) {
        return valueSource(m, unknown(`"${specifier}" is not a source file`, at), at)
      }
      const record = this.load(resolution.file)
      const broken = this.#brokenValue(resolution.file, at)
      if (broken !== undefined) return valueSource(m, broken, at)
      if (record !== undefined) return { type: 'record', record }
    }
    // Generated clients may exist only when the application runs, and packages may be optional.
    const isTried = ts.isCallExpression(at) && m.tries.inFunction > 0
    if (isTried && required) throw thrownError('Error', `Cannot find module '${specifier}'`, at)
    const isOwn = specifier.startsWith('.') || specifier.startsWith('#')
    if (isOwn && !isTried && !isHandled(at) && !this.#resolver.hasOnlyTypes(specifier, importer))
      m.warn('AOT_IMPORT_NOT_FOUND', m.project.locate(at), specifier)
    const missing = unknown(`the module "${specifier}" cannot be found`, at)
    return valueSource(m, { ...missing, missing: { specifier, at } }, at)
  }
}

/** Returns whether a handler of rejections is given to an import right away. */
function isHandled({ parent }: Node): boolean {
  return ts.isPropertyAccessExpression(parent) && /^(?:catch|then)$/.test(parent.name.text)
}

/** Returns the value of an export whose declaration hasn't run yet. Only ES modules refuse to read it. */
function early(from: ModuleSource): Value | undefined {
  const isModule = from.type === 'value' || moduleKindOf(from.record.file) === 'module'
  return isModule ? undefined : undefinedValue
}
