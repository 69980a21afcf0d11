/** The source files of one scan, and places in them. */
import { loadAll, ts } from '#typescript'
import type { SourceLocation } from '../../model/index.ts'
import { displayPath } from '../paths.ts'
import type { SourceFiles } from '../source-files.ts'
import { readJson } from '../read-json.ts'
import { ParsedFiles } from './parse.ts'

export { loadAll, ts }
export type Node = ts.Node

export function isInside(inner: Node, outer: Node): boolean {
  return (
    inner.pos >= outer.pos &&
    inner.end <= outer.end &&
    inner.getSourceFile() === outer.getSourceFile()
  )
}

/** Parses files on first use, which takes about a millisecond each. */
export class Project {
  readonly root: string
  readonly files: SourceFiles
  readonly #trees: ParsedFiles
  readonly #parsed = new Map<string, ts.SourceFile | undefined>()

  /** @param trees keeps parsed files for the next scan */
  constructor(root: string, files: SourceFiles, trees: ParsedFiles = new ParsedFiles()) {
    this.root = root
    this.files = files
    this.#trees = trees
    trees.begin()
  }

  /** Returns the parsed file; `undefined` if it can't be read. JSON files parse as one expression. */
  parse(file: string): ts.SourceFile | undefined {
    if (!this.#parsed.has(file)) {
      const isFile = this.files.isFile(file)
      this.#parsed.set(file, isFile ? this.#trees.parse(file, this.files.text(file)) : undefined)
    }
    return this.#parsed.get(file)
  }

  /** Returns the first syntax error: those after it are mostly consequences. */
  syntaxProblem(
    file: ts.SourceFile,
  ): { readonly at: SourceLocation; readonly reason: string } | undefined {
    if (file.fileName.endsWith('.json')) {
      // TypeScript accepts comments and more that Node rejects.
      const read = readJson(file.text, false)
      if ('value' in read) return undefined
      return { ...read, at: this.#locationOf(file, read.start, read.length) }
    }
    const { parseDiagnostics } = file as ts.SourceFile & {
      readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[]
    }
    const [problem] = parseDiagnostics ?? []
    if (problem === undefined) return undefined
    const reason = ts.flattenDiagnosticMessageText(problem.messageText, ' ')
    return { at: this.#locationOf(file, problem.start, Math.max(1, problem.length)), reason }
  }

  /** Returns the place of a node. A code frame underlines its first line. */
  locate(node: Node): SourceLocation {
    const file = node.getSourceFile()
    const start = node.getStart(file)
    return this.#locationOf(file, start, Math.max(1, node.getEnd() - start))
  }

  /** Returns the place of a node, with the call that needs it. */
  locateFor(call: Node, node: Node = call): SourceLocation {
    const { file, line, column } = this.locate(call)
    const source = call.getSourceFile()
    const endLine = source.getLineAndCharacterOfPosition(call.getEnd()).line + 1
    return { ...this.locate(node), neededBy: { file, line, column, endLine } }
  }

  /** Returns the place of a problem of a whole file: its first character. */
  locateFile(file: string): SourceLocation {
    return { file: displayPath(file, this.root), line: 1, column: 1 }
  }

  #locationOf(file: ts.SourceFile, start: number, length: number): SourceLocation {
    const { line, character } = file.getLineAndCharacterOfPosition(start)
    const lineEnd = file.text.indexOf('\n', start)
    const onLine = lineEnd === -1 ? length : Math.min(length, Math.max(1, lineEnd - start))
    return {
      file: displayPath(file.fileName, this.root),
      line: line + 1,
      column: character + 1,
      length: onLine,
    }
  }
}
