/** Colours for terminals. */
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Styles a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string

/** Returns the painter for a stream. Node decides by `FORCE_COLOR`, `NO_COLOR` and the terminal. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream })
}

/** Adds no styles. */
export const plain: Paint = (_, text) => text
