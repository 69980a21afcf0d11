/** The reference lists every public member with its doc comment. `UPDATE=1 npm test -- docs/reference` writes the lists. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type JSDocableNode,
  type MethodSignature,
  Node,
  Project,
  type PropertySignature,
  SyntaxKind,
  type TypeNode,
} from 'ts-morph'
import { root } from '../support/root.ts'

type Member = PropertySignature | MethodSignature

const project = new Project({ skipAddingFilesFromTsConfig: true })
project.addSourceFilesAtPaths(join(root, 'runtime/types/**/*.ts'))

const marks =
  /<!-- members of (?<type>\w+)(?: as (?<subject>\S*?))?: ?(?<names>[^>]*?) ?-->\n[^]*?<!-- end of members -->/g

/** The public interfaces and type aliases, sorted, each with its doc comment. Throws if one has none. */
function listOfTypes(): string {
  const declared = project
    .getSourceFiles()
    .flatMap((file) => [...file.getInterfaces(), ...file.getTypeAliases()])
    .filter((one) => one.isExported())
  const lines = declared.map((one) => {
    const comment = commentOf(one)
    if (comment === '') throw new Error(`${one.getName()} has no doc comment.`)
    return `- \`${one.getName()}\`: ${comment}`
  })
  return lines.toSorted().join('\n')
}

/** Returns the page with new lists. Throws for a member or a type without a doc comment. */
function withMembers(text: string): string {
  const named = new Set<string>()
  const types = new Set<string>()
  for (const { groups } of text.matchAll(marks)) {
    types.add(groups?.['type'] ?? '')
    for (const name of namesIn(groups?.['names'])) named.add(`${groups?.['type']}.${name}`)
  }
  const listed = text.replace(
    /(?<=<!-- public types -->\n)[^]*?(?=<!-- end of public types -->)/,
    () => `\n${listOfTypes()}\n\n`,
  )
  return listed.replaceAll(marks, (...match) => {
    const { type, subject, names } = match.at(-1) as Record<string, string>
    const all = membersOf(type ?? '')
    const isElsewhere = ([name, members]: readonly [string, readonly Member[]]): boolean =>
      named.has(`${type}.${name}`) ||
      members.some((member) => {
        const owner = member.getParentIfKind(SyntaxKind.InterfaceDeclaration)?.getName() ?? type
        return owner !== type && types.has(owner ?? '')
      })
    const chosen =
      names === ''
        ? [...all].filter((one) => !isElsewhere(one))
        : namesIn(names).map((name): [string, readonly Member[]] => [name, all.get(name) ?? []])
    const missing = namesIn(names).filter((name) => !all.has(name))
    if (missing.length > 0) throw new Error(`${type} has no ${missing.join(', ')}`)
    const lines = chosen.map(([name, members]) => entryOf(subject, name, members, type ?? ''))
    const [mark] = (match[0] as string).split('\n')
    return `${mark}\n\n${lines.join('\n')}\n\n<!-- end of members -->`
  })
}

/** Compares a page with its new text, or writes it with `UPDATE=1`. */
function checkPage(file: string, assertEqual: (now: string, then: string) => void): void {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const updated = withMembers(text)
  if (process.env['UPDATE'] === '1') writeFileSync(path, updated)
  else assertEqual(text, updated)
}

function namesIn(names: string | undefined): string[] {
  return (names ?? '').split(' ').filter((name) => name !== '')
}

/** The declarations of every member, by name: own ones, inherited ones, and those of intersected types. */
function membersOf(type: string): ReadonlyMap<string, readonly Member[]> {
  const members = new Map<string, Member[]>()
  const add = (member: Member): void => {
    const name = member.getName()
    members.set(name, [...(members.get(name) ?? []), member])
  }
  const addNode = (node: TypeNode | undefined): void => {
    if (Node.isTypeLiteral(node))
      for (const member of [...node.getProperties(), ...node.getMethods()]) add(member)
    else if (Node.isIntersectionTypeNode(node)) node.getTypeNodes().forEach(addNode)
    else if (Node.isTypeReference(node)) addType(node.getTypeName().getText())
  }
  const addType = (name: string): void => {
    for (const file of project.getSourceFiles()) {
      const found = file.getInterface(name)
      for (const parent of found?.getExtends() ?? []) addType(parent.getExpression().getText())
      for (const member of [...(found?.getProperties() ?? []), ...(found?.getMethods() ?? [])])
        add(member)
      addNode(file.getTypeAlias(name)?.getTypeNode())
    }
  }
  addType(type)
  if (members.size === 0) throw new Error(`There is no type ${type} with members.`)
  return members
}

function entryOf(
  subject: string | undefined,
  name: string,
  members: readonly Member[],
  type: string,
): string {
  const forms = new Set(members.map((member) => formOf(subject, member)))
  const comment = members.map(commentOf).find((text) => text !== '')
  if (comment === undefined) throw new Error(`${type}.${name} has no doc comment.`)
  return `- ${[...forms].map((form) => `\`${form}\``).join(', ')}: ${comment}`
}

function formOf(subject: string | undefined, member: Member): string {
  const name = subject === undefined ? member.getName() : `${subject}.${member.getName()}`
  if (!Node.isMethodSignature(member)) return name
  const parameters = member
    .getParameters()
    .map((each) => `${each.getName()}${each.hasQuestionToken() ? '?' : ''}`)
  return `${name}(${parameters.join(', ')})`
}

function commentOf(node: JSDocableNode): string {
  const docs = node.getJsDocs()
  // Without the code of an example, which is indented.
  const texts = docs.map((doc) => doc.getDescription().split(/:?\n\n {4}/)[0] ?? '')
  const tags = docs.flatMap((doc) => doc.getTags())
  const deprecated = tags.find((tag) => tag.getTagName() === 'deprecated')
  const advice = deprecated?.getCommentText()?.replaceAll(/\s+/g, ' ')
  return [...texts, ...(deprecated === undefined ? [] : [`Deprecated. ${advice ?? ''}`])]
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const pages = readdirSync(join(root, 'docs/reference')).map((file) => `docs/reference/${file}`)

/** These types need a list that takes all members that no other list has. */
const complete = [
  'FastifyInstance',
  'FastifyRequest',
  'FastifyReply',
  'RouteOptions',
  'FastifyServerOptions',
  'FastifyRouterOptions',
]

for (const page of pages) {
  test(`${page} lists the members of the public types`, () => {
    checkPage(page, (now, then) => assert.equal(now, then))
  })
}

test('the reference lists every member of the instance, the request, the reply, routes and options', () => {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  for (const type of complete)
    assert.match(text, new RegExp(`members of ${type}(?: as \\w+)?: ?-->`), type)
})
