/** How much code the validators of an application are, written in both ways. */
import { gzipSync } from 'node:zlib'
import { minifySync } from 'oxc-minify'
import { scan } from '../../../compiler/1-scan/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { resolve } from '../../../compiler/3-resolve/index.ts'
import { loadLiveOptions } from '../../../compiler/3-resolve/live-options.ts'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { resolveOptions } from '../../../compiler/options.ts'
import { createStandalone } from '../../support/compile-oracle.ts'
import { appNamed } from '../../support/engines.ts'
import { moduleOf } from '../../support/no-codegen.ts'
import { modulesOf } from './compare.ts'

export interface Bytes {
  readonly app: string
  /** Distinct validators that both can write. */
  readonly validators: number
  /** Validators that standalone has no code for. */
  readonly lost: number
  readonly standalone: Size
  readonly emitted: Size
}

export interface Size {
  readonly minified: number
  readonly gzipped: number
}

/** @param app one of `fixtures/apps` */
export async function measureBytes(app: string): Promise<Bytes> {
  const units = await validatorsOf(app)
  const emitter = createEmitter()
  const written = units.flatMap((unit) => {
    try {
      return [{ standalone: createStandalone(unit)(unit.schema), emitted: emitter.emit(unit) }]
    } catch {
      return []
    }
  })
  return {
    app,
    validators: written.length,
    lost: units.length - written.length,
    standalone: sizeOf(modulesOf(written.map((one) => one.standalone))),
    emitted: sizeOf(moduleOf(written.map((one) => one.emitted))),
  }
}

async function validatorsOf(app: string) {
  const options = resolveOptions({ entry: appNamed(app).source })
  const report = ({ message }: { readonly message: string }): never => {
    throw new Error(message)
  }
  const graph = await scan(options, report)
  const tree = graph && buildTree(graph, report)
  if (tree === undefined) throw new Error(`There is no application in ${app}`)
  const live = await loadLiveOptions(tree.options, report)
  const { units } = resolve(tree, live, report)
  return [...units.values()].filter(({ kind }) => kind === 'validator')
}

function sizeOf(text: string): Size {
  const { code } = minifySync('x.mjs', text)
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code).length }
}
