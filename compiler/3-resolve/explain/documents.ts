/** Schemas as documents, with places in the source and paths into them. */
import type { CompileUnit } from '../../../runtime/artifact/index.ts'
import type { Binding, SharedSchema, SourceLocation } from '../../model/index.ts'
import { isMembers, valueAt, type Members, type Path } from '../../util/json.ts'

/** The schema of a part of a route, or a shared schema. References without a name point into it. */
export interface Document {
  /** As the compiler gets it. */
  readonly schema: unknown
  readonly shared: SharedSchema | undefined
  locate(path: Path, what?: 'name'): SourceLocation
}

export function sharedDocument(shared: SharedSchema): Document {
  const { value } = shared.schema
  return {
    schema: value,
    shared,
    locate: (path, what) => (path.length > 0 ? shared.schema.locate(path, what) : shared.at),
  }
}

export function partDocument(binding: Binding, { schema }: CompileUnit): Document {
  const written = writtenPart(binding)
  return {
    schema,
    shared: undefined,
    locate: (path, what) => {
      const writtenPath = asWritten(written, path)
      if (writtenPath.length === 0) return binding.at
      return binding.route.schema?.locate([...binding.path, ...writtenPath], what) ?? binding.at
    },
  }
}

/** The schema of a part as written, before short forms are expanded. */
export function writtenPart({ route, path }: Binding): unknown {
  return valueAt(route.schema?.value, path)
}

/** Translates a path into the path as written: a short form has no `properties`, and names of headers may have capitals. */
function asWritten(written: unknown, [first, ...rest]: Path): Path {
  if (first === undefined) return []
  if (!isMembers(written) && !Array.isArray(written)) return [first, ...rest]
  const lowerCase = String(first).toLowerCase()
  const key = Object.hasOwn(written, first)
    ? first
    : Object.keys(written).find((one) => one.toLowerCase() === lowerCase)
  if (key !== undefined) return [key, ...asWritten((written as Members)[key], rest)]
  return first === 'properties' ? asWritten(written, rest) : [first, ...rest]
}
