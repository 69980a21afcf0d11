/** HTML text. Interpolated values are escaped, unless they are HTML themselves. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Values that templates accept. `undefined` and `false` produce nothing. */
export type Piece = Html | string | number | undefined | false | readonly Piece[]

/** Template tag for HTML. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const [first = '', ...rest] = withoutIndentation(strings)
  return new Html(rest.reduce((text, string, i) => `${text}${textOf(pieces[i])}${string}`, first))
}

const texts = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Removes indentation: browsers ignore it, and templates are repeated for each route. */
function withoutIndentation(strings: TemplateStringsArray): readonly string[] {
  const found = texts.get(strings) ?? strings.map((string) => string.replace(/\s*\n\s*/g, '\n'))
  texts.set(strings, found)
  return found
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(textOf).join('')
  return escape(String(piece))
}

/** Escapes texts and quoted attributes. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
