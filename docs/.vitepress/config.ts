import { defineConfig } from 'vitepress'
import { sidebar } from './sidebar.ts'

/** The site. Links that lead nowhere fail its build, and `test/docs/site.test.ts` compares the sidebar with the pages. */
export default defineConfig({
  title: 'framework',
  description: "Fastify's programming model, with schemas that are compiled ahead of time",
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
