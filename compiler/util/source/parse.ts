/** Parses source files. Comments are skipped, and types aren't checked. */
import { ts } from '#typescript'

export function parse(file: string, text: string): ts.SourceFile {
  const { Latest } = ts.ScriptTarget
  const options = { languageVersion: Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
  try {
    const source = ts.createSourceFile(file, text, options, false)
    namesBySource.set(source, link(source))
    return source
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const reason = 'The code is nested too deeply for the build'
    return Object.assign(parse(file, ''), {
      parseDiagnostics: [{ start: 0, length: 1, messageText: reason }],
    })
  }
}

/** Keeps parsed files for the next build in the same process, where most files are unchanged. */
export class ParsedFiles {
  #before = new Map<string, ts.SourceFile>()
  #now = new Map<string, ts.SourceFile>()

  /** Starts a build. Files that the last build didn't read are dropped. */
  begin(): void {
    this.#before = this.#now
    this.#now = new Map()
  }

  parse(file: string, text: string): ts.SourceFile {
    const parsed = this.#now.get(file) ?? this.#before.get(file)
    // A tree takes thirty times the memory of its text, so don't keep two.
    this.#before.delete(file)
    const source = parsed?.text === text ? parsed : parse(file, text)
    this.#now.set(file, source)
    return source
  }
}

/** Returns all names that occur anywhere but in types and in import statements. */
export function valueNames(source: ts.SourceFile): ReadonlySet<string> {
  return namesBySource.get(source) as ReadonlySet<string>
}

const namesBySource = new WeakMap<ts.SourceFile, ReadonlySet<string>>()

/** Sets the parent of each node and returns the names, in one walk: a walk takes a tenth of the scan. */
function link(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  let parent: ts.Node = source
  let isValue = true
  ts.forEachChild(source, visit)
  return names

  function visit(node: ts.Node): void {
    const outer = parent
    const wasValue = isValue
    ;(node as { parent: ts.Node }).parent = outer
    if (isValue) {
      if (ts.isIdentifier(node)) names.add(node.text)
      else if (isTypeOrImport(node, outer === source)) isValue = false
    }
    parent = node
    ts.forEachChild(node, visit)
    parent = outer
    isValue = wasValue
  }
}

function isTypeOrImport(node: ts.Node, isStatement: boolean): boolean {
  return (
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (isStatement && ts.isImportDeclaration(node))
  )
}
