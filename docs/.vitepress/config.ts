import { defineConfig } from 'vitepress'
import { anchorOf } from './anchor.ts'
import { sidebar } from './sidebar.ts'

const picture =
  /<picture>[^]*?srcset="(?<dark>.*?)"[^]*?alt="(?<alt>.*?)" src="(?<light>.*?)"[^]*?<\/picture>/g

/** Lines of code frames, such as `> 6 | await app.ready()`. */
const frameLine = /^> +\d+ \||^ +\d* \|/

/**
 * Pictures by scheme; output that wraps, because the end of a message says what to do, except code frames, whose carets would stand under
 * other code; narrower tables on phones.
 */
const style = `
.dark .on-light, html:not(.dark) .on-dark { display: none }
.vp-doc div:is(.language-text, .language-console) pre code { width: auto; white-space: pre-wrap; overflow-wrap: anywhere }
.vp-doc div:is(.language-text, .language-console) pre code .frame { white-space: pre }
@media (max-width: 640px) {
  .vp-doc tr :is(th, td) { padding: 6px 8px }
  .VPHero.has-image .image { margin: -60px -24px 0 }
  .VPHero .image-container .image-src { max-width: 300px; max-height: 300px }
}`

/** The site. Links that lead nowhere fail its build, and `test/docs/site.test.ts` compares the sidebar with the pages. */
export default defineConfig({
  title: 'framework',
  description: "Fastify's programming model, with schemas that are compiled ahead of time",
  head: [['style', {}, style]],
  markdown: {
    anchor: { slugify: anchorOf },
    codeTransformers: [
      {
        line(node, number) {
          const line = this.source.split('\n')[number - 1] ?? ''
          if (frameLine.test(line)) this.addClassToHast(node, 'frame')
        },
      },
    ],
    // Pictures follow the switch of the site, not only the system.
    config({ renderer }) {
      renderer.rules['html_block'] = (tokens, i) =>
        (tokens[i]?.content ?? '').replace(
          picture,
          '<img class="on-dark" alt="$2" src="$1"><img class="on-light" alt="$2" src="$3">',
        )
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/what-it-is', activeMatch: '/guide/' },
      { text: 'Reference', link: '/reference/factory', activeMatch: '/reference/' },
      { text: 'Recipes', link: '/recipes/install', activeMatch: '/recipes/' },
      { text: 'Measurements', link: '/measurements/performance', activeMatch: '/measurements/' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
