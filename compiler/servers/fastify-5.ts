/** The profile of Fastify 5.12, and of the runtime's line for it. */
import { fastify5Reading } from '../../runtime/artifact/reading/fastify-5.ts'
import { bodiless, FASTIFY_5_VERSION, withBody } from '../../runtime/lines/fastify-5/values.ts'
import type { TargetProfile } from './profile.ts'

export const fastify5: TargetProfile = {
  name: 'fastify@5',
  fastify: FASTIFY_5_VERSION,
  routes: {
    methods: [...bodiless, ...withBody],
    shorthands: [...bodiless, ...withBody].map((method) => method.toLowerCase()),
    bodiless: new Set(bodiless),
    listsHaveTwins: true,
    lowerCaseHasTwins: true,
    doublesSlash: false,
  },
  schemas: {
    ...fastify5Reading,
    hasShortForms: false,
    keepsCompilers: true,
    areLookedUpByRoute: true,
  },
  validators: { line: 'fastify@5', formats: 3, fastUri: 4, modes: new Set(['JTD']) },
  serializers: { line: 'fastify@5', version: 7 },
  // For `framework/5`, which generates no code, `compile.ts` sets this to false.
  generatesCode: true,
}
