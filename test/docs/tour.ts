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
