/** Creates, builds and runs applications on the real Fastify of a line, alone or with an artifact. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from '../../compiler/build.ts'
import type { Manifest } from '../../compiler/index.ts'
import type { FastifyLine } from '../../runtime/artifact/lines.ts'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'
import { packages } from './compile-oracle.ts'
import { temporaryFolder, thisProcess, writeAll } from './folders.ts'

const releases: Readonly<Record<FastifyLine, string>> = {
  'fastify@4': '4.29.1',
  'fastify@5': '5.12.8',
}

export const fastifyLines = Object.keys(releases) as readonly FastifyLine[]

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/** Returns the folder of the Fastify of a line. */
export function folderOf(line: FastifyLine): string {
  return join(modules, packages[line])
}

/** The package that depends on fast-json-stringify, in a release that takes any version of the major. */
const serializerCompilers: Readonly<Record<string, string>> = {
  5: '4.3.0',
  6: '5.0.3',
  7: '5.1.1',
}

/** Returns the folder of a Fastify with an older fast-json-stringify, as lock files may have it. */
export function fastifyWithSerializers(line: FastifyLine, version: string): string {
  const folder = join(cacheDir, `${packages[line]}-serializers-${version}`)
  const dependencies = {
    fastify: releases[line],
    '@fastify/fast-json-stringify-compiler': serializerCompilers[version.charAt(0)] as string,
    'fast-json-stringify': version,
  }
  installOnce(folder, { dependencies }, () => {})
  return join(folder, 'node_modules/fastify')
}

/** Creates a package with the Fastify of a line, or with the given one, and this checkout's fastify-plugin. */
export function createProject(
  line: FastifyLine,
  files: Readonly<Record<string, string>>,
  fastify: string = folderOf(line),
): string {
  const folder = temporaryFolder(thisProcess)
  const packageJson = { dependencies: { fastify: '*' } }
  writeAll(folder, { 'package.json': JSON.stringify(packageJson), ...files })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(fastify, join(folder, 'node_modules/fastify'))
  symlinkSync(join(modules, 'fastify-plugin'), join(folder, 'node_modules/fastify-plugin'))
  return folder
}

/** Builds a project for the server that it imports, without its dynamic parts. */
export async function buildProject(folder: string, entry: string): Promise<Manifest> {
  const out = join(folder, '.framework')
  const { diagnostics } = await build({
    entry: join(folder, entry),
    out,
    allowDynamic: true,
    cache: false,
  })
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, null, 2))
  return JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as Manifest
}

export interface Said {
  readonly stdout: string
  readonly stderr: string
  /** True if it has exited with 0. */
  readonly isWell: boolean
}

/** Runs a program of the project. @param preload a file of the artifact, such as `fastify.mjs` */
export async function runProject(
  folder: string,
  entry: string,
  preload?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const flags = preload === undefined ? [] : ['--import', `./.framework/${preload}`]
  const options = { cwd: folder, env: { ...process.env, ...env } }
  try {
    const said = await promisify(execFile)(process.execPath, [...flags, entry], options)
    return { ...said, isWell: true }
  } catch (error) {
    const { stdout, stderr } = error as Said
    return { stdout, stderr, isWell: false }
  }
}
