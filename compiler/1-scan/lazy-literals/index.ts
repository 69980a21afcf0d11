import { constantOf, keyOf, withoutTypes } from '../constant-expression.ts'
import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { array, objectOnDemand, primitive } from '../values/index.ts'
import type { Member, ObjectValue, Scalar, Value } from '../values/index.ts'
import type { LazyLiteral, LazyLiterals as Literals } from '../values/interfaces.ts'

/**
 * Object literals of plain data, most of them schemas. Their members are created on first access: most schemas reach the end of the
 * scan as a whole, which takes a tenth off the scan of a large application.
 */
export class LazyLiterals implements Literals {
  readonly #constants = new Map<Node, LazyLiteral | undefined>()
  readonly #untouched = new WeakMap<ObjectValue, LazyLiteral>()

  create(node: ts.ObjectLiteralExpression): ObjectValue | undefined {
    const literal = this.#constant(node)
    return literal && this.#object(literal)
  }

  untouched(value: ObjectValue): LazyLiteral | undefined {
    // With a base, something was spread into it.
    return value.base === undefined ? this.#untouched.get(value) : undefined
  }

  #constant(node: ts.ObjectLiteralExpression): LazyLiteral | undefined {
    if (this.#constants.has(node)) return this.#constants.get(node)
    // In JSON `__proto__` is a name like any other.
    const isJson = (node.flags & ts.NodeFlags.JsonFile) !== 0
    const constant = isJson ? undefined : constantOf(node)
    const literal = constant && { node, value: constant.value as object }
    this.#constants.set(node, literal)
    return literal
  }

  #object(literal: LazyLiteral, parentNumber?: number): ObjectValue {
    const value = objectOnDemand(
      literal.node,
      (number) => {
        this.#untouched.delete(value)
        return this.#members(literal, number)
      },
      parentNumber,
    )
    this.#untouched.set(value, literal)
    return value
  }

  #members({ node, value }: LazyLiteral, number: number): Map<string, Member> {
    // The last of several properties with one name counts, at the position of the first.
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
