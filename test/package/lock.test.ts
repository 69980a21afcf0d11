/** The lock file serves every machine: `npm ci` refuses one that lacks a package of another platform. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface Locked {
  readonly resolved?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const file = fileURLToPath(new URL('../../../package-lock.json', import.meta.url))
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }

/** Returns true if `folder`, or a folder above it, has the package in its `node_modules`. */
function isFound(folder: string, name: string): boolean {
  if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true
  if (folder === '') return false
  return isFound(folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0)), name)
}

test('the lock file holds every dependency, those of other platforms too', () => {
  const missing = Object.entries(packages).flatMap(([folder, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !isFound(folder, name))
      .map((name) => `${folder} needs ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('the lock file names no registry', () => {
  // The workspaces are links to their folders.
  const packed = Object.values(packages).filter(({ link }) => link !== true)
  const resolved = packed.flatMap(({ resolved }) => resolved ?? [])
  assert.deepEqual(resolved, [])
})
