import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Machine } from '../values/machine.ts'
import {
  array,
  native,
  nativeObject,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Deferred, NativeValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { host, processGlobal } from './process.ts'
import { setPrototypeOf } from './reflection.ts'

/**
 * Node's own modules, as far as set-up code uses them. What is read from the disk is the
 * application's source, so it is read for real.
 */
export function nodeModules(m: Machine): Readonly<Record<string, () => Value>> {
  return {
    path: () => pathModule(m),
    url: () => urlModule(m),
    fs: () => fsModule(m),
    'fs/promises': () => fsModule(m),
    module: () => moduleModule(m),
    util: () => utilModule(m),
    process: () => processGlobal(m),
    ...Object.fromEntries(outsideModules.map((name) => [name, () => outsideModule(name)])),
  }
}

/** What these give comes from the machine, the network or the clock, or is there for its effect. */
const outsideModules = [
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'dns/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'net',
  'os',
  'perf_hooks',
  'readline',
  'readline/promises',
  'repl',
  'tls',
  'tty',
  'v8',
  'vm',
  'worker_threads',
]

/** A function that gets texts, and is applied when all are known. */
function onTexts(
  m: Machine,
  name: string,
  apply: (at: Node, ...texts: string[]) => Value,
): NativeValue {
  return native(name, ({ args, at }) => {
    const texts: string[] = []
    for (const arg of args) {
      const value = m.known(arg)
      if (value.kind === 'unknown') return value
      if (value.kind === 'choice') {
        return m.fork(
          value.options.map((option) => () => {
            const rest = args.map((other) => (other === arg ? option : other))
            return m.call(onTexts(m, name, apply), undefinedValue, rest, at)
          }),
          at,
        )
      }
      const text = value.kind === 'primitive' ? value : hrefOf(m, value, at)
      if (text.kind === 'unknown') return text
      if (text.kind !== 'primitive') break
      texts.push(String(text.value))
    }
    return apply(at, ...texts)
  })
}

/** A URL object stands for its text. */
function hrefOf(m: Machine, value: Value, at: Node): Value {
  const isObject = value.kind === 'object' || value.kind === 'deferred'
  return isObject ? m.known(m.get(value, primitive('href', at), at)) : value
}

function pathModule(m: Machine): Value {
  const text = (name: string, apply: (...parts: string[]) => string): NativeValue =>
    onTexts(m, `path.${name}`, (at, ...parts) => primitive(apply(...parts), at))
  const result = nativeObject({
    join: text('join', path.join),
    resolve: text('resolve', (...parts) => path.resolve(m.project.root, ...parts)),
    dirname: text('dirname', (one = '') => path.dirname(one)),
    basename: text('basename', (one = '', end) => path.basename(one, end)),
    extname: text('extname', (one = '') => path.extname(one)),
    relative: text('relative', (from = '', to = '') =>
      path.relative(path.resolve(m.project.root, from), path.resolve(m.project.root, to)),
    ),
    normalize: text('normalize', (one = '') => path.normalize(one)),
    isAbsolute: onTexts(m, 'path.isAbsolute', (at, one = '') =>
      primitive(path.isAbsolute(one), at),
    ),
    parse: onTexts(m, 'path.parse', (at, one = '') => {
      const parsed = object(at)
      for (const [name, part] of Object.entries(path.parse(one))) {
        parsed.members.set(name, { value: primitive(part as string, at), at })
      }
      return parsed
    }),
    sep: primitive(path.sep, undefined),
    delimiter: primitive(path.delimiter, undefined),
  })
  if (result.kind === 'object') {
    result.members.set('posix', { value: result, at: undefined })
    result.members.set('default', { value: result, at: undefined })
  }
  return result
}

function urlModule(m: Machine): Value {
  return nativeObject({
    fileURLToPath: onTexts(m, 'url.fileURLToPath', (at, url = '') =>
      primitive(fileURLToPath(url), at),
    ),
    pathToFileURL: onTexts(m, 'url.pathToFileURL', (at, file = '') => {
      const url = object(at)
      url.members.set('href', { value: primitive(pathToFileURL(file).href, at), at })
      url.members.set('pathname', { value: primitive(pathToFileURL(file).pathname, at), at })
      return url
    }),
    URL: m.deferrals.code('() => URL', [], m.anywhere),
  })
}

function fsModule(m: Machine): Value {
  const { files } = m.project
  const toFile = (given: string): string => path.resolve(m.project.root, toPath(given))
  const onFile = (name: string, apply: (at: Node, file: string) => Value): NativeValue =>
    onTexts(m, name, (at, given = '') => {
      const file = toFile(given)
      if (files.exists(file)) return apply(at, file)
      return unknown(`"${file}" does not exist at build time`, at)
    })
  const readFile = onFile('readFile', (at, file) => primitive(files.text(file), at))
  const readdir = native('readdir', ({ args, at }) => {
    const [folder = undefinedValue, options = undefinedValue] = args
    const list = onFile('readdir', (_, dir) => namesIn(m, dir, options, at))
    return m.call(list, undefinedValue, [folder], at)
  })
  const exists = onTexts(m, 'existsSync', (at, given = '') => {
    const file = toFile(given)
    return !path.relative(m.project.root, file).startsWith('..')
      ? primitive(files.exists(file), at)
      : unknown(`"${given}" is no file of the application`, at)
  })
  const stat = onFile('stat', (at, file) => direntOf(m, file, at))
  const members: Record<string, Value> = {
    readFileSync: readFile,
    readFile,
    readdirSync: readdir,
    readdir,
    existsSync: exists,
    statSync: stat,
    lstatSync: stat,
    stat,
  }
  return host('fs', { ...members, promises: host('fs.promises', members) })
}

function namesIn(m: Machine, folder: string, options: Value, at: Node): Value {
  if (options.kind === 'object' && m.has(options, 'recursive')) {
    return unknown('a folder is listed with all that is below it', at)
  }
  const withTypes = options.kind === 'object' && m.has(options, 'withFileTypes')
  const names = m.project.files.list(folder).map(({ name }) => name)
  return array(
    names.map((name) =>
      withTypes ? direntOf(m, path.join(folder, name), at) : primitive(name, at),
    ),
    at,
  )
}

function toPath(file: string): string {
  return file.startsWith('file://') ? fileURLToPath(file) : file
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
  const createRequire = onTexts(m, 'createRequire', (_, file = '') =>
    m.modules.createRequire(toPath(file), m),
  )
  return host('module', { createRequire })
}

/** Functions that change what they get; the rest is left to the real module. */
function utilModule(m: Machine): Value {
  const inherits = native('inherits', ({ args, at }) => {
    const [child = undefinedValue, parent = undefinedValue] = args
    const prototype = (one: Value): Value => m.get(one, primitive('prototype', at), at)
    setPrototypeOf(m, [prototype(child), prototype(parent)], at)
    m.set(child, primitive('super_', at), parent, at)
    return undefinedValue
  })
  const real = (at: Node): Deferred =>
    m.deferrals.import(
      { specifier: 'node:util', importer: at.getSourceFile().fileName, name: '*', required: true },
      at,
    )
  const result: ObjectValue = object(undefined, {
    exotic: (key, at) => (key === 'default' ? result : m.deferrals.member(real(at), key, at)),
  })
  result.members.set('inherits', { value: inherits, at: undefined })
  return result
}

/** A module whose effects reach outside: nothing of it is run. */
function outsideModule(name: string): Value {
  const result: Value = object(undefined, {
    exotic: (key, at) =>
      key === 'default'
        ? result
        : unknown(`\`${String(key)}\` of "node:${name}" reaches outside of the program`, at),
  })
  return result
}
