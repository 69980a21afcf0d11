/** The code of a page and the commands that it shows, with what they print. */

/** A command of a page, and the output below it. */
export interface Step {
  readonly command: string
  readonly output: string
}

/** The code blocks of a language: the text behind its name, and the content. */
export function blocksOf(
  page: string,
  language: string,
): { readonly info: string; readonly text: string }[] {
  const fences = page.matchAll(new RegExp(`^\`\`\`${language}\\b([^\\n]*)\\n([^]*?)^\`\`\``, 'gm'))
  return [...fences].map(([, info = '', text = '']) => ({ info: info.trim(), text }))
}

export function stepsOf(page: string): Step[] {
  return blocksOf(page, 'console').flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.trimEnd().split('\n')
        return { command, output: output.join('\n') }
      }),
  )
}

/** In a workshop, where packages are installed and servers are ended anyway: `recipes/targets.long.test.ts` does these steps too. */
export function stepsInWorkshop(page: string): Step[] {
  return stepsOf(page)
    .filter(({ command }) => !/^(?:npm|kill) /.test(command))
    .map(({ command, output }) => ({ command: command.replace(/ &$/, ''), output }))
}

/** Sends the request of a `curl` command to `port`. */
export async function runCurl(command: string, port: number): Promise<string> {
  const [, path = ''] = /localhost:\d+([^\s']*)/.exec(command) ?? []
  const headers = [...command.matchAll(/-H '([^:]+): ([^']*)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  )
  const [, body] = /-d '([^']*)'/.exec(command) ?? []
  const init = body === undefined ? { headers } : { method: 'POST', headers, body }
  const answer = await fetch(`http://localhost:${port}${path}`, init)
  return answer.text()
}
