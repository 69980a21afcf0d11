/** Text of HTML. What is put into it is escaped, unless it is HTML itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may be put into HTML; `undefined` and `false` come to nothing. */
export type Piece = Html | string | number | undefined | false | readonly Piece[]

/** The tag of templates that are HTML. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const [first = '', ...rest] = withoutIndentation(strings)
  return new Html(rest.reduce((text, string, i) => `${text}${textOf(pieces[i])}${string}`, first))
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>()

/** White space is the same to a browser, and pages repeat their templates for each route. */
function withoutIndentation(strings: TemplateStringsArray): readonly string[] {
  const found = known.get(strings) ?? strings.map((string) => string.replace(/\s*\n\s*/g, '\n'))
  known.set(strings, found)
  return found
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(textOf).join('')
  return escape(String(piece))
}

/** For texts and for attributes in quotes. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Data that a script of the page reads: nothing in it can end the element. */
export function dataBlock(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${id}">
    ${new Html(json)}
  </script>`
}
