/** Node's own modules, as far as set-up code uses them. Files are really read: they belong to the source of the application. */
import path from 'node:path'
import url, { fileURLToPath, pathToFileURL } from 'node:url'
import type { Machine } from '../values/machine.ts'
import { distributeAll } from '../values/conditions.ts'
import { attempt } from '../values/thrown.ts'
import {
  addMembers,
  array,
  isCallable,
  isGiven,
  native,
  objectOf,
  primitive,
  truthiness,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { NativeValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import { toValue } from './plain.ts'
import { host, partlyKnown, processGlobal } from './process.ts'
import { prelude } from './prelude.ts'
import { promiseOf } from './promises.ts'
import { timerGlobals } from './timers.ts'
import { isFileError } from '../../util/source-files.ts'

export function nodeModules(m: Machine): Readonly<Record<string, () => Value>> {
  return {
    path: () => pathModule(m),
    url: () => urlModule(m),
    fs: () => fsModule(m),
    'fs/promises': () => m.get(fsModule(m), primitive('promises', m.entryFile), m.entryFile),
    module: () => moduleModule(m),
    util: () => utilModule(m),
    process: () => processGlobal(m),
    events: () => prelude(m, 'EventEmitter'),
    timers: () => objectOf(timerGlobals(m)),
    'timers/promises': () =>
      objectOf({ setTimeout: prelude(m, 'sleep'), setImmediate: prelude(m, 'turn') }),
    ...Object.fromEntries(
      outsideModules.map((name) => [
        name,
        () =>
          partlyKnown({}, (key, at) =>
            unknown(`\`${String(key)}\` of "node:${name}" reaches outside of the program`, at),
          ),
      ]),
    ),
  }
}

/** Modules that aren't run, because they reach outside of the program. */
const outsideModules = [
  'child_process cluster dgram dns dns/promises http http2 https inspector net os',
  'perf_hooks readline readline/promises repl tls tty v8 vm worker_threads',
].flatMap((line) => line.split(' '))

/** A function of strings, called when all of them are known. Reads `href` of URL objects. A callback ends the texts. */
function onTexts(
  m: Machine,
  name: string,
  apply: (texts: string[], at: Node, args: readonly Value[]) => Value,
): NativeValue {
  return native(name, ({ args, at }) => {
    const known = args.map((arg) => m.known(arg))
    return distributeAll(m, known, at, (values) => {
      const texts: string[] = []
      for (const value of values) {
        const isObject = value.kind === 'object' || value.kind === 'deferred'
        const text = isObject ? m.known(m.get(value, primitive('href', at), at)) : value
        if (text.kind === 'unknown') return text
        if (text.kind !== 'primitive') break
        texts.push(String(text.value))
      }
      return apply(texts, at, values)
    })
  })
}

function pathModule(m: Machine): Value {
  const { root } = m.project
  const { basename, dirname, extname, isAbsolute, join, normalize, parse } = path
  const resolve = (...parts: string[]): string => path.resolve(root, ...parts)
  const relative = (from: string, to: string): string => path.relative(resolve(from), resolve(to))
  const functions = { basename, dirname, extname, isAbsolute, join, normalize, parse }
  const members: Record<string, Value> = {
    sep: primitive(path.sep, undefined),
    delimiter: primitive(path.delimiter, undefined),
  }
  for (const [name, apply] of Object.entries({ ...functions, resolve, relative })) {
    const call = apply as (...texts: string[]) => unknown
    members[name] = onTexts(m, `path.${name}`, (texts, at) => {
      const result = attempt(() => call(...texts), at)
      return toValue(result, at)
    })
  }
  const result = withOthers(m, 'path', members, path)
  return addMembers(result, { posix: result, default: result })
}

function urlModule(m: Machine): Value {
  const members = {
    fileURLToPath: onTexts(m, 'url.fileURLToPath', ([url = ''], at) => {
      const file = attempt(() => fileURLToPath(url), at)
      return primitive(file, at)
    }),
    pathToFileURL: onTexts(m, 'url.pathToFileURL', ([file = ''], at) => {
      const { href, pathname } = pathToFileURL(file)
      return toValue({ href, pathname }, at)
    }),
    URL: m.deferrals.code('() => URL', [], m.entryFile),
  }
  return withOthers(m, 'url', members, url)
}

/** Leaves the other members to the real module. */
function withOthers(
  m: Machine,
  name: string,
  members: Readonly<Record<string, Value>>,
  real: object,
): ObjectValue {
  const importer = m.entryFile.getSourceFile().fileName
  const source = { specifier: `node:${name}`, importer, name: '*', required: true }
  const module = m.deferrals.import(source, m.entryFile)
  const others = Object.keys(real).filter((key) => !Object.hasOwn(members, key))
  const deferred = others.map((key) => [key, m.deferrals.member(module, key, m.entryFile)] as const)
  return objectOf({ ...members, ...Object.fromEntries(deferred) })
}

function fsModule(m: Machine): Value {
  const { files } = m.project
  const toFile = (text: string, at: Node): string => path.resolve(m.project.root, toPath(text, at))
  const onFile = (
    name: string,
    apply: (file: string, at: Node, args: readonly Value[]) => Value,
    kind?: 'file' | 'folder',
  ): NativeValue =>
    onTexts(m, name, ([given = ''], at, args) => {
      if (args.some(isCallable)) {
        return m.external.callUnknown(unknown('it is called back later', at), [...args], at)
      }
      const file = toFile(given, at)
      if (!files.exists(file)) return unknown(`"${file}" does not exist at build time`, at)
      if (kind !== undefined && !(kind === 'file' ? files.isFile(file) : files.isFolder(file)))
        return unknown(`"${file}" is not a ${kind} at build time`, at)
      try {
        return apply(file, at, args)
      } catch (error) {
        if (!isFileError(error)) throw error
        return unknown(`"${file}" cannot be read at build time (${error.code})`, at)
      }
    })
  const optionOf = (options: Value | undefined, name: string, at: Node): Value =>
    options?.kind === 'object' ? m.known(m.get(options, primitive(name, at), at)) : undefinedValue
  const readFile = onFile(
    'readFile',
    (file, at, [, options]) => {
      const named = options?.kind === 'primitive' ? options : optionOf(options, 'encoding', at)
      const encoding = named.kind === 'primitive' ? String(named.value) : ''
      const text = files.text(file)
      const isAscii = Buffer.byteLength(text) === text.length
      return !isGiven(named) ||
        (isAscii ? /^(?:utf-?8|ascii|latin1)$/i : /^utf-?8$/i).test(encoding)
        ? primitive(text, at)
        : unknown('a file is read in another encoding than UTF-8', at)
    },
    'file',
  )
  const readdir = onFile(
    'readdir',
    (folder, at, [, options]) => {
      const has = (name: string): boolean => truthiness(optionOf(options, name, at)) !== false
      if (has('recursive')) return unknown('a folder is listed recursively', at)
      const entries = files
        .list(folder)
        .map(({ name }) =>
          has('withFileTypes') ? direntOf(m, path.join(folder, name), at) : primitive(name, at),
        )
      return array(entries, at)
    },
    'folder',
  )
  const exists = onTexts(m, 'existsSync', ([given = ''], at) => {
    const file = toFile(given, at)
    return !path.relative(m.project.root, file).startsWith('..')
      ? primitive(files.exists(file), at)
      : unknown(`"${given}" is not a file of the application`, at)
  })
  const stat = onFile('stat', (file, at) => direntOf(m, file, at))
  const calls = { readFile, readdir, stat, lstat: stat }
  const promised = Object.entries(calls).map(([name, { call }]) => [
    name,
    native(name, (given) => promiseOf(m, () => call(given), given.at)),
  ])
  return host('fs', {
    ...calls,
    readFileSync: readFile,
    readdirSync: readdir,
    existsSync: exists,
    statSync: stat,
    lstatSync: stat,
    promises: host('fs.promises', Object.fromEntries(promised) as Record<string, Value>),
  })
}

function toPath(file: string, at: Node): string {
  return file.startsWith('file://') ? attempt(() => fileURLToPath(file), at) : file
}

function direntOf(m: Machine, file: string, at: Node): Value {
  const isFolder = m.project.files.isFolder(file)
  return host('stat', {
    name: primitive(path.basename(file), at),
    parentPath: primitive(path.dirname(file), at),
    path: primitive(path.dirname(file), at),
    isDirectory: native('isDirectory', () => primitive(isFolder, at)),
    isFile: native('isFile', () => primitive(!isFolder, at)),
  })
}

function moduleModule(m: Machine): Value {
  const createRequire = onTexts(m, 'createRequire', ([file = ''], at) =>
    m.modules.createRequire(toPath(file, at)),
  )
  return host('module', { createRequire })
}

/** `util.inherits` changes its arguments, so it is interpreted. The rest is left to the real module. */
function utilModule(m: Machine): Value {
  return partlyKnown({ inherits: prelude(m, 'inherits') }, (key, at) => {
    const importer = at.getSourceFile().fileName
    const source = { specifier: 'node:util', importer, name: '*', required: true }
    return m.deferrals.member(m.deferrals.import(source, at), key, at)
  })
}
