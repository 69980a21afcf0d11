/** Explains why the shared schemas of a context can't be used together: several schemas in them have the same `$id`. */
import { isDeepStrictEqual } from 'node:util'
import { diagnostic } from '../../report/errors.ts'
import type { DefaultCompiler, Diagnostic } from '../../model/index.ts'
import { valueAt } from '../../util/json.ts'
import { sharedDocument } from './documents.ts'
import { namesOf, resolve, type Spot } from './reach.ts'

/** @param reason error message of the compiler */
export function explainConflict(
  { schemas, context }: DefaultCompiler,
  reason: string,
): Diagnostic | undefined {
  const id =
    /schema with key or id "(.*)" already exists/.exec(reason)?.[1] ??
    /reference "(.*)" resolves to more than one schema/.exec(reason)?.[1] ??
    /There is already another schema with id "(.*)"/.exec(reason)?.[1]
  if (id === undefined) return undefined
  const spots = schemas
    .map(sharedDocument)
    .flatMap((document): Spot[] =>
      [...namesOf(document)]
        .filter(([, name]) => name === resolve(id))
        .map(([path]) => ({ document, path })),
    )
  const valueOf = ({ document, path }: Spot): unknown => valueAt(document.schema, path)
  // Ajv refuses the name of a shared schema that one before it contains, even if both are the same.
  const refused = reason.includes('already exists')
    ? spots.find(({ path }) => path.length === 0)
    : spots.find((one) => !isDeepStrictEqual(valueOf(one), valueOf(spots[0] as Spot)))
  const earlier = spots.find((one) => one !== refused)
  if (refused === undefined || earlier === undefined) return undefined
  const { file, line, column } = earlier.document.locate(earlier.path)
  const isInside = earlier.path.length > 0
  const owner = isInside ? `, inside of "${earlier.document.shared?.id}"` : ''
  const isSame = isDeepStrictEqual(valueOf(earlier), valueOf(refused))
  const hint =
    isInside && isSame && earlier.document !== refused.document
      ? [`Add it before "${earlier.document.shared?.id}", or refer to it there by \`$ref\`.`]
      : []
  const place = `${file}:${line}:${column}${owner}`
  const at = refused.document.locate(refused.path)
  return diagnostic('AOT_SCHEMA_DUPLICATE_ID', at, id, context, place, ...hint)
}
