/** Replaces `node:url`, with the paths of systems that use `/`. */
const url: object = {
  URL,
  URLSearchParams,
  fileURLToPath: (url: string | URL): string => decodeURIComponent(new URL(url).pathname),
  pathToFileURL: (path: string): URL =>
    new URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`),
}

export default url
