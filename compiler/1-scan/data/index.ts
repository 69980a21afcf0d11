import { constantOf, keyOf, withoutTypes } from '../constant.ts'
import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { array, objectOnDemand, primitive } from '../values/index.ts'
import type { Member, ObjectValue, Scalar, Value } from '../values/index.ts'
import type { DataLiterals as Literals, UnseenData } from '../values/services.ts'
import { letGo } from './let-go.ts'

/**
 * Object literals of plain data: schemas, most of all. Their members are made when something looks at them. What nothing
 * has looked at flows through the scan as a whole, so that whatever stands in it, the scan would have found the same.
 */
export class DataLiterals implements Literals {
  readonly #constants = new Map<Node, UnseenData | undefined>()
  readonly #literals = new WeakMap<ObjectValue, UnseenData>()
  readonly #made = new Set<ts.ObjectLiteralExpression>()
  readonly #seen = new Set<Node>()
  readonly #inserted = new Set<Node>()
  readonly #quoted = new Set<Node>()

  make(node: ts.ObjectLiteralExpression): ObjectValue | undefined {
    const literal = this.#constant(node)
    return literal && this.#object(literal)
  }

  unseen(value: ObjectValue): UnseenData | undefined {
    // Something may have been spread into it.
    return value.base === undefined ? this.#literals.get(value) : undefined
  }

  insert(value: ObjectValue): UnseenData | undefined {
    const literal = this.unseen(value)
    if (literal !== undefined) this.#inserted.add(literal.node)
    return literal
  }

  quote(node: Node): void {
    this.#quoted.add(node)
  }

  /** The literals that nothing has looked into wherever they were evaluated; none lies in another, nor in one that was inserted. */
  unseenNodes(): ReadonlySet<ts.ObjectLiteralExpression> {
    // What was looked into in one place may stand in another as a whole: there, what lies in it is no literal of its own.
    const isWhole = [...this.#inserted].filter((node) => this.#seen.has(node))
    const taken = [...this.#quoted, ...isWhole].map((node) => [node, node.getSourceFile()] as const)
    return new Set(
      [...this.#made].filter(
        (node) =>
          !this.#seen.has(node) &&
          !taken.some(
            ([{ pos, end }, file]) =>
              pos < node.end && node.pos < end && file === node.getSourceFile(),
          ),
      ),
    )
  }

  /** Keeps the text of literals that nothing has looked into, and no longer their trees. */
  letGo(): void {
    this.unseenNodes().forEach(letGo)
  }

  #constant(node: ts.ObjectLiteralExpression): UnseenData | undefined {
    if (this.#constants.has(node)) return this.#constants.get(node)
    // In JSON `__proto__` is a name like any other.
    const isJson = (node.flags & ts.NodeFlags.JsonFile) !== 0
    const constant = isJson ? undefined : constantOf(node)
    const literal = constant && { node, value: constant.value as object }
    this.#constants.set(node, literal)
    return literal
  }

  #object(literal: UnseenData, whole?: number): ObjectValue {
    const { node } = literal
    this.#made.add(node)
    const value = objectOnDemand(
      node,
      (number) => {
        this.#literals.delete(value)
        this.#seen.add(node)
        return this.#members(literal, number)
      },
      whole,
    )
    this.#literals.set(value, literal)
    return value
  }

  #members({ node, value }: UnseenData, number: number): Map<string, Member> {
    // Of two with the same name the last one counts, at the position of the first.
    const properties = new Map(
      (node.properties as ts.NodeArray<ts.PropertyAssignment>).map((one) => [
        keyOf(one.name) as string,
        one,
      ]),
    )
    const members = new Map<string, Member>()
    for (const [key, property] of properties) {
      const plain = (value as Readonly<Record<string, unknown>>)[key]
      members.set(key, { value: this.#value(property.initializer, plain, number), at: property })
    }
    return members
  }

  #value(written: Node, plain: unknown, number: number): Value {
    const node = withoutTypes(written)
    if (ts.isObjectLiteralExpression(node)) {
      return this.#object({ node, value: plain as object }, number)
    }
    if (!ts.isArrayLiteralExpression(node)) return primitive(plain as Scalar, node)
    const list = plain as readonly unknown[]
    const elements = node.elements.map((element, i) => this.#value(element, list[i], number))
    return array(elements, node, number)
  }
}
