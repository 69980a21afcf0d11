/** Conditions of package `exports` and `imports` that Node resolves with, besides `import`, `require` and `default`. */
import { packageJsonIn } from './package-json.ts'

/** Returns the conditions of this Node, with the application's own. */
export function nodeConditions(root: string): readonly string[] {
  const { require_module: loadsModules } = process.features as { require_module?: boolean }
  return ['node', 'node-addons', ...(loadsModules ? ['module-sync'] : []), ...ownConditions(root)]
}

/** Returns the conditions that NODE_OPTIONS and the start script set. Node ignores `customConditions` of tsconfig.json. */
export function ownConditions(root: string): readonly string[] {
  const { NODE_OPTIONS = '' } = process.env
  const { start = '' } = packageJsonIn(root).scripts ?? {}
  const found = `${NODE_OPTIONS} ${start}`.matchAll(
    /(?<![^\s"'=])(?:--conditions|-C)[=\s]["']?([\w.:@/-]+)/g,
  )
  return [...new Set([...found].map(([, name = '']) => name))]
}
