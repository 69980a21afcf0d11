/**
 * Explains why a schema couldn't be compiled, in terms and places of the source. Compilers stop at the first problem and hardly say
 * where it is. This finds all problems of the same kind, on the path that a compiler takes through the schema (`reach.ts`). A
 * problem in a shared schema is reported there, once, however many routes need it.
 */
import { profileOf, type TargetProfile } from '../../servers/index.ts'
import { contextPaths, instancesOf, isWithin } from '../../report/context-path.ts'
import { diagnostic } from '../../report/errors.ts'
import type {
  Binding,
  CompileUnit,
  ContextTree,
  Diagnostic,
  SharedSchema,
} from '../../model/index.ts'
import { partDocument, sharedDocument, writtenPart } from './documents.ts'
import type { Fault } from './faults.ts'
import { hintFor, mistakesIn, wordsOf, type Mistake } from './invalid.ts'
import { reachOf } from './reach.ts'
import { brokenBy, explainBroken, type Surroundings } from './references.ts'
import { nameOf, describePart } from './subjects.ts'

export { explainConflict } from './conflicts.ts'
export { Faults } from './faults.ts'
export { withoutMistake } from './invalid.ts'
export { describePart }

/** @param reason error message of the compiler */
export type Explain = (unit: CompileUnit, binding: Binding, reason: string) => readonly Fault[]

/** @param tree searched for schemas that exist in another context */
export function createExplain(
  tree: ContextTree,
  profile: TargetProfile = profileOf('framework'),
): Explain {
  const contexts = [...contextPaths(tree)]
  const surroundings: Surroundings = {
    holders: contexts.flatMap(([{ schemas }, context]) =>
      schemas.map((shared) => ({ context, document: sharedDocument(shared) })),
    ),
    missing: contexts.flatMap(([{ unknownSchemas }, context]) =>
      unknownSchemas.map((unknown) => ({ context, unknown })),
    ),
    hasOwnBucket: instancesOf(tree).some(({ options }) => options.hasOwnBucket),
  }
  return (unit, binding, reason) => {
    const part = partDocument(binding, unit)
    const visible = surroundings.holders
      .filter(({ context }) => isWithin(binding.context, context))
      .map(({ document }) => document)
    const reach = reachOf(part, visible, unit.kind)
    const broken = brokenBy(reason, reach.broken, part, visible)
    if (broken.length > 0) return broken.map((one) => explainBroken(binding, one, surroundings))
    return mistakesIn(part, reach.schemas, reason).map((mistake) =>
      explainMistake(mistake, reason, binding, profile.schemas.hasShortForms),
    )
  }
}

export function explainShared(shared: SharedSchema, reason: string): Diagnostic {
  const [mistake] = mistakesIn(sharedDocument(shared), [], reason)
  return explainMistake(mistake as Mistake, reason).describe([])
}

/** @param binding the part of a route that the schema is compiled for */
function explainMistake(
  { document, at, value }: Mistake,
  reason: string,
  binding?: Binding,
  hasShortForms?: boolean,
): Fault {
  const partBinding = document.shared === undefined ? binding : undefined
  const hint = hintFor(reason, value, partBinding && writtenPart(partBinding), hasShortForms)
  const words = wordsOf(reason, value)
  const part = partBinding && `${partBinding.context} ${describePart(partBinding)}`
  return {
    key: [at.file, at.line, at.column, words, part].join('\n'),
    describe: (sites) =>
      diagnostic('AOT_SCHEMA_INVALID', at, nameOf(document, at, sites), words, ...hint),
  }
}
