import { posix } from 'node:path'

/** One file of an application while it is being written. */
export class SourceFile {
  /** Relative to the application's folder. */
  readonly path: string
  readonly #imports = new Set<string>()
  readonly #top: string[] = []

  constructor(path: string) {
    this.path = path
  }

  import(statement: string): void {
    this.#imports.add(statement)
  }

  /** Imports `name` of a file, unless it is this one. Returns the expression for it in this file. */
  use(file: SourceFile, name: string, how: 'name' | 'renamed' | 'namespace' = 'name'): string {
    if (file === this) return name
    const specifier = this.specifierOf(file)
    if (how === 'namespace') {
      const space = `in_${file.path.replace(/\W+/g, '_')}`
      this.import(`import * as ${space} from '${specifier}'`)
      return `${space}.${name}`
    }
    const local = how === 'renamed' ? `${name}_here` : name
    const names = how === 'renamed' ? `${name} as ${local}` : name
    this.import(`import { ${names} } from '${specifier}'`)
    return local
  }

  useDefault(file: SourceFile, local: string): string {
    if (file === this) return local
    this.import(`import ${local} from '${this.specifierOf(file)}'`)
    return local
  }

  specifierOf(file: SourceFile): string {
    const path = posix.relative(posix.dirname(this.path), file.path).replace(/\.ts$/, '.js')
    return path.startsWith('.') ? path : `./${path}`
  }

  /** Adds a statement at the top level. */
  declare(statement: string): void {
    this.#top.push(statement)
  }

  /** Adds a statement at the top level, unless it exists already. */
  declareOnce(statement: string): void {
    if (!this.#top.includes(statement)) this.declare(statement)
  }

  text(): string {
    return [...this.#imports, ...this.#top, ''].join('\n')
  }
}
