/** Finds files other than package.json that start the application, such as Dockerfiles. */
import { readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { globSync } from './on-use.ts'
import { preloadArtifact, runs } from './scripts.ts'

const names = [
  'Dockerfile*',
  '*.Dockerfile',
  'Procfile',
  '*compose*.{yml,yaml}',
  '{app,render}.{yml,yaml}',
  '{fly,nixpacks,railway}.toml',
]

/** An instruction of a Dockerfile, or a member of the others. */
const COMMAND = /^\s*(?:CMD|ENTRYPOINT|[\w-]+:|[\w-]+ *=)\s+(.*\S)\s*$/

/** Runs the script `start`, to which `framework init` adds the flag. */
const BY_SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?start(?=\s|$)/

/** A Dockerfile that builds, or copies what was built. */
const HAS_ARTIFACT =
  /^(?!\s*(?:#|FROM|COPY|ADD|WORKDIR)).*[\s"]build(?![\w./-])|^\s*COPY\s.*\.framework\b/m

const STAGE =
  ' Build it in a stage that has the compiler, as on the page "Docker" of the documentation.'

/**
 * Returns notes about commands that need the artifact.
 *
 * @param workspace the root of the workspace, whose files may start the application too
 */
export function otherStarts(
  folder: string,
  files: readonly string[],
  artifact: string,
  workspace?: string,
): readonly string[] {
  const inPackage = startsIn(folder, '**/', files, artifact)
  if (workspace === undefined) return inPackage
  const member = relative(workspace, folder)
  const inWorkspace = startsIn(
    workspace,
    '',
    files.map((file) => posix.join(member, file)),
    artifact.replace('./.framework', `./${member}/.framework`),
  )
  return [...inPackage, ...inWorkspace.map((note) => `${relative(folder, workspace)}/${note}`)]
}

/** @param files paths relative to the folder */
function startsIn(
  folder: string,
  depth: string,
  files: readonly string[],
  artifact: string,
): readonly string[] {
  const found = globSync(
    names.map((name) => `${depth}${name}`),
    { cwd: folder, ignore: ['**/node_modules/**'], dot: false },
  )
  return found.sort().flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const stage = file.includes('Dockerfile') && !HAS_ARTIFACT.test(text) ? STAGE : ''
    return text.split('\n').flatMap((line, index) => {
      const [, command = ''] = COMMAND.exec(line) ?? []
      const list = /^\[\s*"(.*)"\s*\]$/.exec(command)?.[1]?.split(/"\s*,\s*"/)
      const script = list?.join(' ') ?? command.replace(/^(["'])(.*)\1$/, '$2')
      const place = `${file}:${index + 1}`
      if (stage !== '' && BY_SCRIPT.test(script))
        return [`${place} runs the script \`start\`, which needs the folder .framework.${stage}`]
      const changed = runs(script, files) ? preloadArtifact(script, artifact, false) : undefined
      if (changed === undefined || changed === script) return []
      return [
        `${place} starts the application as well, and is left as it is. It needs the folder .framework and the flag: \`${changed}\`.${stage}`,
      ]
    })
  })
}
