/** Gets the functions that a plugin of Ajv adds: they exist only in the scope of the plugin. */

/** The definition of a keyword. */
type Definition = Readonly<Record<string, unknown>>

/** By name. */
export interface PluginParts {
  readonly formats: Readonly<Record<string, unknown>>
  readonly keywords: Readonly<Record<string, Definition>>
}

type Plugin = (ajv: object, options?: unknown) => unknown

/** Results by plugin and options. A plugin runs once per options, because its functions may share a state. */
const partsByPlugin = new WeakMap<Plugin, Map<string, PluginParts>>()

/**
 * Runs a plugin with an object that only records what it adds. A plugin that needs more of Ajv fails the build.
 *
 * @param options plain data, if there are options
 */
export function pluginParts(plugin: Plugin, ...options: readonly [unknown?]): PluginParts {
  let byOptions = partsByPlugin.get(plugin)
  if (byOptions === undefined) partsByPlugin.set(plugin, (byOptions = new Map()))
  const key = JSON.stringify(options)
  let parts = byOptions.get(key)
  if (parts === undefined) {
    const recorder = createRecorder()
    plugin(recorder, ...options)
    byOptions.set(key, (parts = recorder.parts))
  }
  return parts
}

interface Recorder {
  readonly parts: PluginParts
  readonly [method: string]: unknown
}

function createRecorder(): Recorder {
  const formats = Object.create(null) as Record<string, unknown>
  const keywords = Object.create(null) as Record<string, Definition>
  const recorder: Recorder = {
    parts: { formats, keywords },
    // ajv-formats writes to `opts.code`.
    opts: { code: {} },
    formats,
    addFormat(name: string, format: unknown) {
      formats[name] = format
      return recorder
    },
    addKeyword,
    addVocabulary(definitions: readonly (string | Definition)[]) {
      for (const definition of definitions) addKeyword(definition)
      return recorder
    },
    getKeyword: (name: string) => keywords[name] ?? false,
    // These add no functions.
    removeKeyword: () => recorder,
    addSchema: () => recorder,
    addMetaSchema: () => recorder,
  }
  return recorder

  function addKeyword(first: string | Definition, second?: Definition): Recorder {
    const definition = typeof first === 'string' ? second : first
    const names = typeof first === 'string' ? first : (first.keyword as string | string[])
    for (const name of [names].flat()) keywords[name] = definition ?? {}
    return recorder
  }
}
