const badUrl =
  'A URL that is not encoded properly gets 400, as on Fastify 5.12, whether there are routes or not: the 404 handler that 4.21 ' +
  'runs may be one of another prefix, and runs without its hooks (docs/security.md).'

const failingFactory =
  'A factory of loggers that fails fails one request, which is answered; on 4.21 it ends the process (docs/errors.md).'

/**
 * Portable blocks that do not pass, by file and title, with the reason. An entry that passes, or whose block is
 * gone, fails the run.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '404s.test.js': {
    '400 in case of bad url (pre find-my-way v2.2.0 was a 404) > No route registered': badUrl,
    '400 in case of bad url (pre find-my-way v2.2.0 was a 404) > customized 404': badUrl,
  },
  'childLoggerFactory.test.js': {
    'should throw error if invalid logger is returned': failingFactory,
  },
}

/** Why the blocks that `table.json` lists under `needCompiler` fail where code generation is denied. */
export const compilerReason: string =
  'The test, or one that starts the server it needs, declares a schema at run time. Without an artifact only the\n' +
  'development compiler can compile it, by generating code. All of these pass when the compiler alone may do so.'
