/** Replaces `node:url`, with POSIX paths. */
const url: object = {
  URL,
  URLSearchParams,
  fileURLToPath: (url: string | URL): string => decodeURIComponent(new URL(url).pathname),
  pathToFileURL: (path: string): URL =>
    new URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`),
}

export default url
