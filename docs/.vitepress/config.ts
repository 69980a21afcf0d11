import { defineConfig } from 'vitepress'
import { sidebar } from './sidebar.ts'

const picture =
  /<picture>[^]*?srcset="(?<dark>.*?)"[^]*?alt="(?<alt>.*?)" src="(?<light>.*?)"[^]*?<\/picture>/g

/** The site. Links that lead nowhere fail its build, and `test/docs/site.test.ts` compares the sidebar with the pages. */
export default defineConfig({
  title: 'framework',
  description: "Fastify's programming model, with schemas that are compiled ahead of time",
  head: [['style', {}, '.dark .on-light, html:not(.dark) .on-dark { display: none }']],
  markdown: {
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
