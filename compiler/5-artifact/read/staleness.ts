/** Compares an artifact on the disk with the pending build. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../manifest.ts'
import type { Output } from '../../model/index.ts'
import { isFile } from '../../util/paths.ts'
import { pairRoutes } from './pair-routes.ts'
import { digestsOf, type Route } from './schemas.ts'
import type { ArtifactManifest } from './reader.ts'
import { otherServer } from './reader.ts'

export interface StaleRoute {
  readonly method: string
  readonly url: string
  /** The place where it is declared now, or was in the artifact. */
  readonly at: string
  readonly change: 'new' | 'gone' | 'changed'
  /** The parts that have changed; empty if the route is new or gone. */
  readonly parts: readonly string[]
  /** True if only a shared schema has changed that the route refers to. */
  readonly isByShared: boolean
}

export interface StaleSchema {
  readonly id: string
  readonly context: string
  /** The place where it is added now, or was in the artifact. */
  readonly at: string
  readonly change: StaleRoute['change']
}

export interface Staleness {
  readonly schemas: readonly StaleSchema[]
  readonly routes: readonly StaleRoute[]
  /** Other differences, as text. */
  readonly reasons: readonly string[]
}

/** Lists the differences of an artifact from the pending build; `undefined` if there are none. */
export function stalenessOf(
  artifact: ArtifactManifest,
  { manifest, output }: { readonly manifest: Manifest; readonly output: Output },
): Staleness | undefined {
  const { folder, manifest: written } = artifact
  const server = otherServer(artifact)
  if (server !== undefined) {
    // The next build compiles everything again, so other differences don't matter.
    const { line = 'framework', entry } = written
    const reason = `it is for ${line}, and ${entry} runs on ${server.name}`
    return { schemas: [], routes: [], reasons: [reason] }
  }
  const files = [...output.entryFiles, ...output.parts]
  const wrong = files.filter(([file, text]) => !hasContent(join(folder, file), text))
  // A change of a source file may change nothing of the artifact.
  const [before, after] = [written, manifest].map((one) => ({
    ...one,
    sources: {},
    bootStop: undefined,
  }))
  const isOnlySource = wrong.every(([file]) => file === 'manifest.json')
  if (isOnlySource && (wrong.length === 0 || isDeepStrictEqual(before, after))) return undefined
  const schemas = staleSchemas(written, manifest)
  const routes = staleRoutes(written, manifest, schemas.length > 0)
  const reasons: string[] = []
  if (written.version !== manifest.version)
    reasons.push(`framework ${written.version} wrote it, and this is ${manifest.version}`)
  else if (!isDeepStrictEqual(written.compilers, manifest.compilers))
    reasons.push('other versions of the compilers wrote it')
  if (written.entry !== manifest.entry)
    reasons.push(`it was built from ${written.entry}, not from ${manifest.entry}`)
  const stop = bootDifference(written, manifest)
  if (stop !== undefined) reasons.push(stop)
  if (routes.length === 0 && reasons.length === 0) {
    const names = wrong.map(([file]) => file)
    reasons.push(
      isDeepStrictEqual(before, after)
        ? `files are missing or damaged: ${names.join(', ')}`
        : 'places, contexts or options have changed, and no function of a route',
    )
  }
  return { schemas, routes, reasons }
}

/** Describes that the application boots on one machine only, which may explain other differences. */
function bootDifference(written: Manifest, now: Manifest): string | undefined {
  if ((written.bootStop === undefined) === (now.bootStop === undefined)) return undefined
  return now.bootStop === undefined
    ? 'the application boots in the sandbox here, and did not where the artifact was built'
    : `the application boots in the sandbox where the artifact was built, and not here. ${now.bootStop.message}`
}

function hasContent(file: string, text: string): boolean {
  return isFile(file) && readFileSync(file, 'utf8') === text
}

function staleSchemas(written: Manifest, now: Manifest): StaleSchema[] {
  const before = sharedByKey(written)
  const after = sharedByKey(now)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    if (was !== undefined && is !== undefined && isDeepStrictEqual(was.schema, is.schema)) return []
    const addedOrRemoved = was === undefined ? 'new' : 'gone'
    const change = was && is ? 'changed' : addedOrRemoved
    const { id, context, at } = (is ?? was) as SharedSchema
    return [{ id, context, at, change }]
  })
}

interface SharedSchema {
  readonly id: string
  readonly context: string
  readonly at: string
  readonly schema: unknown
}

function sharedByKey({ contexts, schemas }: Manifest): Map<string, SharedSchema> {
  return new Map(
    contexts.flatMap(({ context, shared }) =>
      Object.entries(shared).map(([id, { schema, at }]) => [
        `${context}\n${id}`,
        { id, context, at, schema: schemas[schema] },
      ]),
    ),
  )
}

/** @param mayBeByShared whether a shared schema has changed */
function staleRoutes(written: Manifest, now: Manifest, mayBeByShared: boolean): StaleRoute[] {
  return pairRoutes(written, now, keyOf).flatMap(([was, is]): StaleRoute[] => {
    const { method, url, at } = (is ?? was) as Route
    if (was === undefined || is === undefined) {
      const change = was === undefined ? 'new' : 'gone'
      return [{ method, url, at, change, parts: [], isByShared: false }]
    }
    const parts = changedParts(was, is)
    if (parts.length === 0) return []
    const isByShared =
      mayBeByShared && parts.every((part) => isSame(part, [was, written], [is, now]))
    return [{ method, url, at, change: 'changed', parts, isByShared }]
  })
}

function keyOf({ context, method, url }: Route): string {
  return `${context}\n${method} ${url}`
}

/** Returns whether the status and the schema of a part are unchanged, apart from shared schemas. */
function isSame(part: string, ...both: readonly (readonly [Route, Manifest])[]): boolean {
  const [was, is] = both.map(([{ schema, parts }, { schemas }]) => {
    const name = schema?.parts[part] ?? schema?.responses[part]
    return { status: parts[part], schema: name === undefined ? undefined : schemas[name] }
  })
  return was?.schema !== undefined && isDeepStrictEqual(was, is)
}

function changedParts(was: Route, is: Route): string[] {
  const [before, now] = [digestsOf(was), digestsOf(is)]
  const parts = new Set([was, is].flatMap((route) => Object.keys(route.parts)))
  return [...parts].filter(
    (part) => before[part] !== now[part] || was.parts[part] !== is.parts[part],
  )
}
