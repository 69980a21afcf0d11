import { lowerHeaderNames } from '../../runtime/bridge/header-names.ts'
import { readingOf } from './fastify-schemas.ts'
import type { LineMeaning } from './line.ts'

const bodiless = ['GET', 'HEAD', 'TRACE']
const withBody = ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY']

/** Fastify 5.12. */
export const fastify5: LineMeaning = {
  name: 'fastify@5',
  fastify: '5.12.8',
  routes: {
    methods: [...bodiless, ...withBody],
    shorthands: [...bodiless, ...withBody].map((method) => method.toLowerCase()),
    bodiless: new Set(bodiless),
    listsHaveTwins: true,
    lowerCaseHasTwins: true,
    twinsYield: false,
    routerOptions: 'routerOptions',
    addMethod: 'addHttpMethod',
  },
  schemas: readingOf({
    hasShortForms: false,
    isPart: (schema) => schema !== undefined,
    mayLackSchema: false,
    lowerHeaders: lowerHeaderNames['fastify@5'],
  }),
  validators: { line: 'fastify@5', formats: 3, uris: 4, modes: new Set(['JTD']), hasParts: false },
  serializers: { line: 'fastify@5', version: 7 },
  generatesCode: true,
}
