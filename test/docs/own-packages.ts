/** Runs what a page shows in a shell, with the packages of this checkout, so that nothing is installed. `recipes/` installs them. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../support/root.ts'
import { zodPackages } from '../support/zod-workshop.ts'
import { type Recipe, runRecipe } from '../recipes/page.ts'
import { type Lasting } from '../support/folders.ts'

/** Links the packages of this checkout, with those of `fixtures/zod` in place of older ones. */
function linkPackages(folder: string): void {
  const [from, to] = [root, folder].map((one) => join(one, 'node_modules')) as [string, string]
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (!zodPackages.has(name)) symlinkSync(join(from, name), join(to, name))
  for (const [name, source] of zodPackages)
    if (!name.startsWith('@')) symlinkSync(source, join(to, name))
}

/** Runs a page. `program` is one that it starts by its name alone. */
export function runHere(
  t: Lasting,
  { prepare, ...recipe }: Recipe,
  program: string = process.execPath,
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
    linkPackages(folder)
  }
  return runRecipe(t, { ...recipe, prepare: usePackages }, env)
}
