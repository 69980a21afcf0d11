/** Colours for terminals. */
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Styles a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string

/** The members of a stream that show whether it supports colours. */
interface Stream {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/**
 * Returns the painter for a stream. `FORCE_COLOR` decides if it is set, else the terminal does: Node knows
 * `NO_COLOR` and `TERM=dumb`.
 */
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

/** Adds no styles. */
export const plain: Paint = (_, text) => text
