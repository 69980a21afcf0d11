/** Finds files other than package.json that start the application, such as Dockerfiles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { preload, runs } from './scripts.ts'

const names = ['Dockerfile*', '*.Dockerfile', 'Procfile', '*compose*.{yml,yaml}']

/** An instruction of a Dockerfile, or a member of the others. */
const COMMAND = /^(\s*(?:CMD|ENTRYPOINT|[\w-]+:)\s+)(.*\S)\s*$/

/** Returns notes about commands that need the artifact. */
export function otherStarts(
  folder: string,
  files: readonly string[],
  artifact: string,
): readonly string[] {
  const found = globSync(
    names.map((name) => `**/${name}`),
    { cwd: folder, ignore: ['**/node_modules/**'], dot: false },
  )
  return found.sort().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [, head = '', command = ''] = COMMAND.exec(line) ?? []
        const changed = command.includes('.framework/')
          ? undefined
          : withArtifact(command, files, artifact)
        if (changed === undefined) return []
        const place = `${file}:${index + 1}`
        return `${place} starts the application as well, and is left as it is. It needs the folder .framework and the flag: \`${head.trim()} ${changed}\`.`
      }),
  )
}

/** Commands are texts for a shell, or lists of words. */
function withArtifact(
  command: string,
  files: readonly string[],
  artifact: string,
): string | undefined {
  const list = /^\[\s*"(.*)"\s*\]$/.exec(command)?.[1]?.split(/"\s*,\s*"/)
  const script = list?.join(' ') ?? command
  if (!runs(script, files)) return undefined
  const changed = preload(script, artifact, false)
  const isPlain = list?.every((word) => !/\s/.test(word)) === true
  return isPlain && changed?.startsWith('NODE_OPTIONS') === false
    ? JSON.stringify(changed.split(' ')).replaceAll('","', '", "')
    : changed
}
