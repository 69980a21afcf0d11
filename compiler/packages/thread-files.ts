const JOINED = /\b(?:join|resolve)\(\s*__dirname\s*,([^()]*)\)/g
const BY_URL = /new URL\(\s*(['"`])([^'"`$]*)\1\s*,\s*import\.meta\.url/g

/** Files that a text names by their place next to itself: those of threads are, when it makes any. */
export function threadFiles(text: string): string[] {
  const joined = [...text.matchAll(JOINED)].map(([, rest = '']) => {
    const parts = [...rest.matchAll(/['"`]([^'"`$]*)['"`]/g)].map(([, part]) => part)
    return `./${parts.join('/')}`
  })
  const byUrl = [...text.matchAll(BY_URL)].map(([, , path = '']) =>
    path.startsWith('.') ? path : `./${path}`,
  )
  return [...joined, ...byUrl].filter((path) => path !== './')
}
