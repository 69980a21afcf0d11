/** The profile of Fastify 4.29. */
import { lowerHeaderNames } from '../../runtime/artifact/header-names.ts'
import { createReading } from '../../runtime/artifact/normalize.ts'
import { copyShared } from '../../runtime/artifact/reading/copy-shared.ts'
import { framework } from './framework.ts'
import type { TargetProfile } from './profile.ts'

export const fastify4: TargetProfile = {
  name: 'fastify@4',
  fastify: '4.29.1',
  routes: {
    ...framework.routes,
    methods: [...framework.routes.methods, 'REPORT', 'MKCALENDAR'],
    listsHaveTwins: true,
    doublesSlash: true,
  },
  schemas: {
    ...createReading({
      hasShortForms: true,
      hasBodyContent: true,
      mayLackSchema: true,
      isPart: Boolean,
      shared: copyShared,
      lowerHeaders: lowerHeaderNames['fastify@4'],
    }),
    hasShortForms: true,
    keepsCompilers: true,
    areLookedUpByRoute: false,
  },
  validators: { line: 'fastify@4', formats: 2, fastUri: 2, modes: new Set(['JTD']) },
  serializers: { line: 'fastify@4', version: 5 },
  generatesCode: true,
}
