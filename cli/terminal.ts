/** Colours, where a terminal wants them. */
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Gives a text a style, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

/** What tells whether a stream shows colours. */
interface Stream {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** `FORCE_COLOR` decides where it is set; else a terminal does, to which Node knows `NO_COLOR` and `TERM=dumb`. */
export function paintFor(stream: Stream): Paint {
  const force = process.env['FORCE_COLOR']
  const wantsColor =
    force === undefined
      ? stream.isTTY === true && stream.hasColors?.() === true
      : force !== '0' && force !== 'false'
  return wantsColor
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text
}

/** For texts that go nowhere in particular. */
export const plain: Paint = (_, text) => text
