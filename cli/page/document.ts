/** Writes a self-contained page: no network, and no script but its own. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Html, html } from './html.ts'

export interface Page {
  readonly title: string
  /** Content beside the title. */
  readonly head: Html
  readonly main: Html
  /** Selects the script and the styles. */
  readonly kind: 'analysis' | 'overview'
}

/** Marks pages written here: commands overwrite no other files with pages. */
const PAGE_HEAD = '<!doctype html>\n<!-- Written by `framework`. -->\n'

export function isPage(text: string): boolean {
  return text.startsWith(PAGE_HEAD)
}

/** Styles and scripts for browsers, bundled by the build of this package. */
const FILES = {
  analysis: {
    style: new URL('./browser/analysis.css', import.meta.url),
    script: new URL('./browser/analysis.js', import.meta.url),
  },
  overview: {
    style: new URL('./browser/overview.css', import.meta.url),
    script: new URL('./browser/overview.js', import.meta.url),
  },
}

/** The content security policy forbids other scripts and all network access. */
export function documentOf({ title, head, main, kind }: Page): string {
  const style = readFileSync(FILES[kind].style, 'utf8')
  const script = readFileSync(FILES[kind].script, 'utf8')
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src-elem '${hashOf(style)}'`,
    // Positions in pictures.
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `${PAGE_HEAD}${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <header>${head}</header>
        <main>${main}</main>
        ${new Html(`<script>${script}</script>`)}
      </body>
    </html>`.text
  }`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
