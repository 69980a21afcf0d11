/**
 * Reads JSON as TypeScript reads its configuration: comments and trailing commas are no errors. `undefined` when it cannot be
 * read: what is wrong with it is for TypeScript to say.
 */
export function parseJsonWithComments(text: string): unknown {
  // What is in quotes stays.
  const json = text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, quoted?: string) => quoted ?? ' ',
    )
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? '')
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
