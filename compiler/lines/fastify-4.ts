import { lowerHeaderNames } from '../../runtime/bridge/header-names.ts'
import { readingOf } from './fastify-schemas.ts'
import { framework } from './framework.ts'
import type { LineMeaning } from './line.ts'

/** Fastify 4.29. */
export const fastify4: LineMeaning = {
  name: 'fastify@4',
  fastify: '4.29.1',
  routes: {
    ...framework.routes,
    methods: [...framework.routes.methods, 'REPORT', 'MKCALENDAR'],
    listsHaveTwins: true,
    twinsYield: false,
  },
  schemas: readingOf({
    hasShortForms: true,
    isPart: Boolean,
    mayLackSchema: true,
    lowerHeaders: lowerHeaderNames['fastify@4'],
  }),
  validators: { line: 'fastify@4', formats: 2, uris: 2, modes: new Set(['JTD']), hasParts: false },
  serializers: { line: 'fastify@4', version: 5 },
  generatesCode: true,
}
