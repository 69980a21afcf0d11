import type { OptionPath, TakeOption, ValidatorOptions } from '../artifact/index.ts'

/**
 * Returns a function that compiled functions get the application's formats, keywords and plugins from. Later changes of the options
 * have no effect, as with Ajv, which reads them when the application gets ready.
 */
export function takeFrom(options: ValidatorOptions): TakeOption {
  const { customOptions, plugins, onCreate } = options
  const { formats, keywords, code } = customOptions as Partial<Record<string, object>>
  const now = {
    customOptions: {
      ...customOptions,
      // Keep a format's object: it may be the `this` of its function.
      ...(formats && { formats: { ...formats } }),
      ...(Array.isArray(keywords) && { keywords: keywords.map(copyDefinition) }),
      ...(code && { code: { ...code } }),
    },
    plugins: plugins?.map((entry) => (Array.isArray(entry) ? (entry as unknown[])[0] : entry)),
    onCreate,
  }
  return (path) => valueAt(now, path)
}

function copyDefinition(definition: unknown): unknown {
  return typeof definition === 'object' && definition !== null ? { ...definition } : definition
}

function valueAt(value: unknown, path: OptionPath): unknown {
  let at = value
  for (const key of path) at = (at as Record<string | number, unknown>)[key]
  return at
}
