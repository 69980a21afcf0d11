/** What the web itself has of `node:url`, and paths of `file:` URLs as they are on systems with `/`. */
const url: object = {
  URL,
  URLSearchParams,
  fileURLToPath: (url: string | URL): string => decodeURIComponent(new URL(url).pathname),
  pathToFileURL: (path: string): URL =>
    new URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`),
}

export default url
