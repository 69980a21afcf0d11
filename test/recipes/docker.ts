/**
 * `docker build` and `docker run` in folders, for recipes where there is no Docker: what a Dockerfile runs is run here, with the
 * files that it copies and no others. Each stage is a folder, and so is each image.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

interface Image {
  readonly root: string
  workdir: string
  readonly env: Record<string, string>
  command: readonly string[]
}

const images = join(process.env['HOME'] as string, 'images')
const [command = '', ...args] = process.argv.slice(2)
if (command === 'build') build(valueOf('--tag'), resolve(args.at(-1) as string))
else if (command === 'run') run(args.at(-1) as string)
else throw new Error(`There is no "docker ${command}" here.`)

function valueOf(option: string): string {
  return args[args.indexOf(option) + 1] as string
}

function build(tag: string, context: string): void {
  const stages = new Map<string, Image>()
  let image: Image | undefined
  for (const line of readFileSync(join(context, 'Dockerfile'), 'utf8').split('\n')) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      image = {
        root: mkdtempSync(join(tmpdir(), 'framework-image-')),
        workdir: '/',
        env: {},
        command: [],
      }
      stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? '', image)
    } else if (image !== undefined) apply(image, instruction, rest, context, stages)
  }
  mkdirSync(images, { recursive: true })
  writeFileSync(join(images, `${tag}.json`), JSON.stringify(image))
}

function apply(
  image: Image,
  instruction: string,
  rest: string,
  context: string,
  stages: ReadonlyMap<string, Image>,
): void {
  const inside = (path: string): string =>
    resolve(join(image.root, image.workdir), path.replace(/^\//, `${image.root}/`))
  switch (instruction) {
    case 'WORKDIR':
      image.workdir = rest
      mkdirSync(inside('.'), { recursive: true })
      return
    case 'ENV': {
      const [name = '', value = ''] = rest.split('=')
      image.env[name] = value
      return
    }
    case 'COPY': {
      const [, stage, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? []
      const from = stage === undefined ? context : (stages.get(stage) as Image).root
      const names = paths.split(' ')
      const target = names.pop() as string
      for (const name of names) copy(join(from, name), inside(target), from)
      return
    }
    case 'RUN': {
      const { status } = spawnSync('sh', ['-c', rest], {
        cwd: inside('.'),
        env: { ...process.env, ...image.env },
        stdio: 'inherit',
      })
      if (status !== 0) process.exit(status ?? 1)
      return
    }
    case 'CMD':
      image.command = JSON.parse(rest) as string[]
      return
    // Between stages.
    case '':
    case 'EXPOSE':
    case 'USER':
      return
    default:
      throw new Error(`"${instruction}" is not known here.`)
  }
}

/** A file goes into a folder, a folder's content into another; what `.dockerignore` names stays away. */
function copy(source: string, target: string, from: string): void {
  const list = join(from, '.dockerignore')
  const ignored = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  const isFile = /\.\w+$/.test(source) && !source.endsWith('.framework')
  const filter = (path: string): boolean => !ignored.includes(basename(path)) || path === source
  cpSync(source, isFile ? join(target, basename(source)) : target, { recursive: true, filter })
}

function run(tag: string): void {
  const image = JSON.parse(readFileSync(join(images, `${tag}.json`), 'utf8')) as Image
  const [program = '', ...rest] = image.command
  const child = spawn(program, rest, {
    cwd: join(image.root, image.workdir),
    env: { ...process.env, ...image.env },
    stdio: 'inherit',
  })
  const end = (): void => void child.kill()
  process.once('SIGTERM', end).once('SIGINT', end)
  child.once('exit', (code) => {
    rmSync(image.root, { recursive: true, force: true })
    process.exitCode = code ?? 0
  })
}
