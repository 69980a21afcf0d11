/** The profile of Fastify 5.12. */
import { lowerHeaderNames } from '../../runtime/bridge/header-names.ts'
import { schemaProfile } from './fastify-schemas.ts'
import type { TargetProfile } from './profile.ts'

const bodiless = ['GET', 'HEAD', 'TRACE']
const withBody = ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY']

export const fastify5: TargetProfile = {
  name: 'fastify@5',
  fastify: '5.12.8',
  routes: {
    methods: [...bodiless, ...withBody],
    shorthands: [...bodiless, ...withBody].map((method) => method.toLowerCase()),
    bodiless: new Set(bodiless),
    listsHaveTwins: true,
    lowerCaseHasTwins: true,
  },
  schemas: schemaProfile({
    hasShortForms: false,
    isPart: (schema) => schema !== undefined,
    mayLackSchema: false,
    lowerHeaders: lowerHeaderNames['fastify@5'],
  }),
  validators: { line: 'fastify@5', formats: 3, uris: 4, modes: new Set(['JTD']), hasParts: false },
  serializers: { line: 'fastify@5', version: 7 },
  generatesCode: true,
}
