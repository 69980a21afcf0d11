/** Runs what a page shows in a shell, with the packages of this checkout, so that nothing is installed. `recipes/` installs them. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../support/root.ts'
import { zodPackages } from '../support/zod-workshop.ts'
import { type Recipe, runRecipe } from '../recipes/page.ts'
import { type Lasting } from '../support/folders.ts'

/** Links the packages of this checkout, with those of `fixtures/zod` and of another folder in place of older ones. */
function linkPackages(folder: string, others: string | undefined): void {
  const to = join(folder, 'node_modules')
  mkdirSync(to)
  const within = (from: string): (readonly [name: string, source: string])[] =>
    readdirSync(from).map((name) => [name, join(from, name)])
  const zod = [...zodPackages].filter(([name]) => !name.startsWith('@'))
  const sources = new Map([
    ...within(join(root, 'node_modules')),
    ...zod,
    ...(others === undefined ? [] : within(others)),
  ])
  for (const [name, source] of sources) symlinkSync(source, join(to, name))
}

/** Runs a page. `program` is one that it starts by its name alone, `others` a `node_modules` with packages that this checkout lacks. */
export function runHere(
  t: Lasting,
  { prepare, ...recipe }: Recipe,
  program: string = process.execPath,
  others?: string,
): Promise<void> {
  // Without variables of the test runner and of npm scripts.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_TEST|NODE_OPTIONS$|CI$)/i.test(name),
  )
  const env = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    NO_COLOR: '1',
    PATH: [dirname(program), dirname(process.execPath), process.env['PATH']].join(delimiter),
  }
  const usePackages = (folder: string): void => {
    prepare?.(folder)
    const manifest = join(folder, 'package.json')
    if (!existsSync(manifest)) writeFileSync(manifest, '{ "type": "module" }')
    linkPackages(folder, others)
  }
  return runRecipe(t, { ...recipe, prepare: usePackages }, env)
}
