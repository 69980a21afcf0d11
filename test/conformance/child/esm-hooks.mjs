let urls

export function initialize(data) {
  urls = data
}

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  return found.url === urls.entry ? { ...found, url: urls.subject, format: 'commonjs' } : found
}
