/** The profile of the runtime `framework`, which behaves like Fastify 4.21. */
import { fastify4Reading } from '../../runtime/artifact/reading/index.ts'
import { FASTIFY_VERSION } from '../../runtime/boot/fastify-version.ts'
import { supportedMethods } from '../../runtime/lines/fastify-4/methods.ts'
import type { TargetProfile } from './profile.ts'

export const framework: TargetProfile = {
  name: 'framework',
  fastify: FASTIFY_VERSION,
  routes: {
    methods: supportedMethods,
    // `query` and `trace` are from Fastify 5, whose instance methods this runtime has as well.
    shorthands: ['delete', 'get', 'head', 'patch', 'post', 'put', 'options', 'query', 'trace'],
    bodiless: new Set(['GET', 'HEAD']),
    listsHaveTwins: false,
    lowerCaseHasTwins: false,
    doublesSlash: false,
  },
  schemas: {
    ...fastify4Reading,
    hasShortForms: true,
    keepsCompilers: false,
    areLookedUpByRoute: true,
  },
  validators: {
    line: 'framework',
    formats: 2,
    fastUri: 2,
    modes: new Set(['2019', '2020', 'JTD']),
  },
  serializers: { line: 'framework', version: 5 },
  generatesCode: false,
}
