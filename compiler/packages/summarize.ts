import { ts } from '#typescript'
import { isAjv } from './ajv.ts'
import { declareAll, declareParameters } from './declarations.ts'
import { holds } from './known-globals.ts'
import { isFunction, Names } from './names.ts'
import { wrappedIn } from './plugin-wrappers.ts'
import type { FileSummary, FunctionSummary, Target } from './summary.ts'
import { emptyFunction, WHOLE } from './summary.ts'
import { exportedName, isExported, mayReturn, nameOf, throws, unwrap } from './syntax.ts'
import { threadFiles } from './thread-files.ts'

/** Where the walk is. */
interface Place {
  readonly fn: FunctionSummary
  readonly names: Names
  /** Whether this is reached whenever the function runs. */
  readonly isCertain: boolean
  /** Whether an error that is thrown here is swallowed. */
  readonly copes: boolean
}

/** What the functions of a file call, put under names, load and generate. */
export function summarize(source: ts.SourceFile): FileSummary {
  const functions: FunctionSummary[] = []
  const ids = new Map<ts.Node, number>()
  let probes = false
  const idOf = (node: ts.Node): number => {
    let id = ids.get(node)
    if (id === undefined) {
      ids.set(node, (id = functions.length))
      functions.push(emptyFunction())
    }
    return id
  }
  const names = new Names(undefined, idOf)
  declareAll(source, names)
  const module: Place = {
    fn: functions[idOf(source)] as FunctionSummary,
    names,
    isCertain: true,
    copes: false,
  }
  walkStatements(source.statements, module)
  const workers = functions.some((one) => one.makesThread) ? threadFiles(source.text) : []
  return { functions, workers, probes, wrapped: wrappedIn(source, names) }

  function walk(node: ts.Node, place: Place): void {
    if (isFunction(node)) {
      define(node, place)
      if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
        place.fn.puts.push({
          name: nameOf(node.name),
          target: { type: 'function', id: idOf(node) },
        })
        return
      }
      // A function that stands somewhere in an expression may be called by whoever gets it.
      if (!ts.isFunctionDeclaration(node)) use({ type: 'function', id: idOf(node) }, place, false)
      return
    }
    if (ts.isClassLike(node)) {
      defineClass(node, place)
      return
    }
    switch (node.kind) {
      case ts.SyntaxKind.Block:
      case ts.SyntaxKind.CaseClause:
      case ts.SyntaxKind.DefaultClause:
        if ('expression' in node) walk(node.expression as ts.Expression, place)
        walkStatements((node as ts.Block).statements, place)
        return
      case ts.SyntaxKind.IfStatement:
        walkIf(node as ts.IfStatement, place)
        return
      case ts.SyntaxKind.ConditionalExpression: {
        const { condition, whenTrue, whenFalse } = node as ts.ConditionalExpression
        walkArms(condition, whenTrue, whenFalse, place)
        return
      }
      case ts.SyntaxKind.ForStatement:
      case ts.SyntaxKind.ForInStatement:
      case ts.SyntaxKind.ForOfStatement:
      case ts.SyntaxKind.WhileStatement:
      case ts.SyntaxKind.CaseBlock:
        ts.forEachChild(node, (child) => walk(child, { ...place, isCertain: false }))
        return
      case ts.SyntaxKind.TryStatement:
        walkTry(node as ts.TryStatement, place)
        return
      case ts.SyntaxKind.BinaryExpression:
        walkBinary(node as ts.BinaryExpression, place)
        return
      case ts.SyntaxKind.CallExpression:
      case ts.SyntaxKind.NewExpression:
        walkCall(node as ts.CallExpression | ts.NewExpression, place)
        return
      case ts.SyntaxKind.PropertyAccessExpression: {
        const { expression, name } = node as ts.PropertyAccessExpression
        read(name.text, node as ts.Expression, place)
        walk(expression, place)
        return
      }
      case ts.SyntaxKind.ElementAccessExpression: {
        const { argumentExpression } = node as ts.ElementAccessExpression
        if (ts.isStringLiteralLike(argumentExpression)) place.fn.reads.add(argumentExpression.text)
        ts.forEachChild(node, (child) => walk(child, place))
        return
      }
      case ts.SyntaxKind.VariableDeclaration: {
        const { name, initializer } = node as ts.VariableDeclaration
        readPattern(name, place)
        if (initializer === undefined) return
        // What a variable stands for is used where its name is.
        if (isFunction(initializer)) define(initializer, place)
        else if (!isAlias(initializer, place)) walk(initializer, place)
        else loadFor(initializer, place)
        return
      }
      case ts.SyntaxKind.PropertyAssignment: {
        const { name, initializer } = node as ts.PropertyAssignment
        put(nameOf(name), initializer, place)
        return
      }
      case ts.SyntaxKind.ShorthandPropertyAssignment: {
        const { name } = node as ts.ShorthandPropertyAssignment
        put(name.text, name, place)
        return
      }
      case ts.SyntaxKind.ImportDeclaration: {
        const { moduleSpecifier } = node as ts.ImportDeclaration
        load((moduleSpecifier as ts.StringLiteral).text, place)
        return
      }
      case ts.SyntaxKind.ExportDeclaration:
        walkExport(node as ts.ExportDeclaration, place)
        return
      case ts.SyntaxKind.ExportAssignment:
        put(WHOLE, (node as ts.ExportAssignment).expression, place)
        return
      case ts.SyntaxKind.VariableStatement:
        ts.forEachChild(node, (child) => walk(child, place))
        for (const { name } of (node as ts.VariableStatement).declarationList.declarations) {
          if (isExported(node) && ts.isIdentifier(name)) putTarget(name.text, name, place)
        }
        return
      case ts.SyntaxKind.Identifier: {
        const target = place.names.target((node as ts.Identifier).text)
        if (target !== undefined) use(target, place, false)
        return
      }
      default:
        ts.forEachChild(node, (child) => walk(child, place))
    }
  }

  function walkStatements(statements: readonly ts.Statement[], place: Place): void {
    let current = place
    for (const statement of statements) {
      walk(statement, current)
      // What comes after a way out is not reached for sure.
      if (current.isCertain && mayReturn(statement)) current = { ...current, isCertain: false }
    }
  }

  function walkIf(node: ts.IfStatement, place: Place): void {
    walkArms(node.expression, node.thenStatement, node.elseStatement, place)
  }

  function walkArms(
    condition: ts.Expression,
    whenTrue: ts.Node,
    whenFalse: ts.Node | undefined,
    place: Place,
  ): void {
    walk(condition, place)
    const isTrue = holds(condition, (name) => place.names.isGlobal(name))
    const arm = isTrue === undefined ? { ...place, isCertain: false } : place
    if (isTrue !== false) walk(whenTrue, arm)
    if (isTrue !== true && whenFalse !== undefined) walk(whenFalse, arm)
  }

  function walkTry({ tryBlock, catchClause, finallyBlock }: ts.TryStatement, place: Place): void {
    const copes = catchClause !== undefined && !throws(catchClause.block)
    walk(tryBlock, copes ? { ...place, copes: true } : place)
    if (catchClause !== undefined) walk(catchClause.block, { ...place, isCertain: false })
    if (finallyBlock !== undefined) walk(finallyBlock, place)
  }

  function walkBinary(node: ts.BinaryExpression, place: Place): void {
    const { left, right, operatorToken } = node
    switch (operatorToken.kind) {
      case ts.SyntaxKind.AmpersandAmpersandToken:
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken: {
        walk(left, place)
        const isTrue = holds(left, (name) => place.names.isGlobal(name))
        const isAnd = operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
        if (isTrue === !isAnd) return
        walk(right, { ...place, isCertain: place.isCertain && isTrue !== undefined })
        return
      }
      case ts.SyntaxKind.EqualsToken:
        if (ts.isPropertyAccessExpression(left)) {
          walk(left.expression, place)
          put(exportedName(left), right, place)
        } else walk(right, place)
        return
      default:
        walk(left, place)
        walk(right, place)
    }
  }

  function walkCall(node: ts.CallExpression | ts.NewExpression, place: Place): void {
    const { expression } = node
    for (const one of node.arguments ?? []) walk(one, place)
    if (ts.isCallExpression(node)) {
      const specifier = place.names.requiredBy(node)
      if (specifier !== undefined) {
        load(specifier, place)
        use({ type: 'import', specifier, name: undefined }, place, false)
        return
      }
      if (expression.kind === ts.SyntaxKind.ImportKeyword) {
        const [only] = node.arguments
        if (only !== undefined && ts.isStringLiteralLike(only)) {
          load(only.text, { ...place, isCertain: false })
        }
        return
      }
    }
    const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression
    if (ts.isIdentifier(callee) && callee.text === 'Worker') place.fn.makesThread = true
    const target = calledBy(expression, place)
    if (ts.isNewExpression(node) && isAjv(target)) note('new Ajv', node, place)
    if (target === undefined) {
      walk(expression, place)
    } else if (target.type === 'generator') {
      generate(node, target.name, place)
    } else {
      if (isFunction(unwrap(expression)))
        define(unwrap(expression) as ts.FunctionLikeDeclaration, place)
      use(target, place, true)
    }
  }

  /** What a call calls: `f()`, `f.call()`, `(function () {})()`. */
  function calledBy(expression: ts.Expression, { names }: Place): Target | undefined {
    const direct = names.targetOf(expression)
    if (direct !== undefined || !ts.isPropertyAccessExpression(expression)) return direct
    const isIndirect = /^(?:apply|bind|call)$/.test(expression.name.text)
    return isIndirect ? names.targetOf(expression.expression) : undefined
  }

  function generate(node: ts.CallExpression | ts.NewExpression, name: string, place: Place): void {
    const { isCertain, copes } = place
    if (copes) {
      probes = true
      return
    }
    // The last of several ways to the global object; the others work.
    const [only] = node.arguments ?? []
    const isFallback = only !== undefined && ts.isStringLiteralLike(only) && !isCertain
    if (isFallback && /^\s*return this;?\s*$/.test(only.text)) return
    note(name === 'eval' ? 'eval' : 'new Function', node, place)
  }

  function note(what: string, node: ts.Node, { fn, isCertain }: Place): void {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    fn.sites.push({ what, line: line + 1, isCertain })
  }

  function walkExport({ exportClause, moduleSpecifier }: ts.ExportDeclaration, place: Place): void {
    const specifier = moduleSpecifier && (moduleSpecifier as ts.StringLiteral).text
    if (specifier !== undefined) load(specifier, place)
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return
    for (const { name, propertyName } of exportClause.elements) {
      const local = (propertyName ?? name).text
      const target: Target | undefined =
        specifier === undefined
          ? place.names.target(local)
          : { type: 'import', specifier, name: local === 'default' ? undefined : local }
      const exported = name.text === 'default' ? WHOLE : name.text
      if (target !== undefined) place.fn.puts.push({ name: exported, target })
    }
  }

  /** Puts a value under a name: what it is, is used where that name is read. */
  function put(name: string, value: ts.Expression, place: Place): void {
    if (isFunction(value)) define(value, place)
    else if (ts.isClassLike(value)) defineClass(value, place)
    else if (!isAlias(value, place)) {
      walk(value, place)
      return
    } else loadFor(value, place)
    putTarget(name, value, place)
  }

  function putTarget(name: string, value: ts.Expression, { names, fn }: Place): void {
    const target = names.targetOf(value)
    if (target !== undefined) fn.puts.push({ name, target })
  }

  /** Whether an expression is only another name for something. */
  function isAlias(node: ts.Expression, { names }: Place): boolean {
    return names.targetOf(node) !== undefined
  }

  /** The modules that an alias loads on the way: `require('x').y`; and the names that it gives: `a = exports.a = b`. */
  function loadFor(node: ts.Expression, place: Place): void {
    const inner = unwrap(node)
    if (isFunction(inner)) define(inner, place)
    else if (ts.isClassLike(inner)) defineClass(inner, place)
    else if (ts.isPropertyAccessExpression(inner)) loadFor(inner.expression, place)
    else if (ts.isBinaryExpression(inner)) walkBinary(inner, place)
    else if (ts.isCallExpression(inner)) {
      const specifier = place.names.requiredBy(inner)
      if (specifier !== undefined) load(specifier, place)
      else inner.arguments.forEach((one) => loadFor(one, place))
    }
  }

  function define(node: ts.FunctionLikeDeclaration, place: Place): void {
    const fn = functions[idOf(node)] as FunctionSummary
    const names = new Names(place.names, idOf)
    declareParameters(node, names)
    const inside: Place = { fn, names, isCertain: true, copes: false }
    for (const { name, initializer } of node.parameters) {
      readPattern(name, inside)
      if (initializer !== undefined) walk(initializer, { ...inside, isCertain: false })
    }
    const body = node.body as ts.ConciseBody
    if (ts.isBlock(body)) {
      declareAll(body, names)
      walkStatements(body.statements, inside)
    } else walk(body, inside)
    if (ts.isFunctionDeclaration(node) && isExported(node)) {
      const isDefault = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
      const name = isDefault ? WHOLE : node.name?.text
      if (name) place.fn.puts.push({ name, target: { type: 'function', id: idOf(node) } })
    }
  }

  /** A class is the function of its constructor; its methods stand under their names. */
  function defineClass(node: ts.ClassLikeDeclaration, place: Place): void {
    const id = idOf(node)
    const fn = functions[id] as FunctionSummary
    const inside: Place = { ...place, fn, isCertain: true, copes: false }
    const [extended] = node.heritageClauses?.flatMap(({ types }) => [...types]) ?? []
    if (extended !== undefined) {
      const parent = place.names.targetOf(extended.expression)
      if (parent !== undefined) use(parent, inside, true)
      else walk(extended.expression, place)
    }
    for (const member of node.members) {
      if (ts.isConstructorDeclaration(member) && member.body !== undefined) {
        define(member, inside)
        use({ type: 'function', id: idOf(member) }, inside, true)
      } else if (isFunction(member)) {
        define(member, place)
        const target: Target = { type: 'function', id: idOf(member) }
        if (member.name !== undefined) place.fn.puts.push({ name: nameOf(member.name), target })
      } else if (ts.isPropertyDeclaration(member) && member.initializer !== undefined) {
        const isStatic = member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
        put(nameOf(member.name), member.initializer, isStatic ? place : inside)
      } else if (ts.isClassStaticBlockDeclaration(member))
        walkStatements(member.body.statements, place)
    }
    if (isExported(node)) {
      const isDefault = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
      const name = isDefault ? WHOLE : node.name?.text
      if (name) place.fn.puts.push({ name, target: { type: 'function', id } })
    }
  }

  function use(target: Target, { fn, isCertain, copes }: Place, isCalled: boolean): void {
    if (target.type !== 'generator')
      fn.uses.push({ target, isCertain: isCalled && isCertain && !copes })
  }

  function load(specifier: string, { fn, isCertain, copes }: Place): void {
    fn.loads.push({ specifier, isCertain: isCertain && !copes })
  }

  function read(name: string, node: ts.Expression, place: Place): void {
    place.fn.reads.add(name)
    const target = place.names.targetOf(node)
    if (target?.type === 'import') use(target, place, false)
  }

  function readPattern(name: ts.BindingName, place: Place): void {
    if (!ts.isObjectBindingPattern(name)) return
    for (const { propertyName, name: inner } of name.elements) {
      const key = propertyName ?? inner
      if (ts.isIdentifier(key)) place.fn.reads.add(key.text)
      readPattern(inner, place)
    }
  }
}
