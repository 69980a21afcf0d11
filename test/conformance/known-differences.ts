/**
 * Portable blocks that do not pass, by file and title, with the reason. An entry that passes, or whose block is
 * gone, fails the run.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {}

/** Why the blocks that `table.json` lists under `needCompiler` fail where code generation is denied. */
export const compilerReason: string =
  'The test, or one that starts the server it needs, declares a schema at run time. Without an artifact only the\n' +
  'development compiler can compile it, by generating code. All of these pass when the compiler alone may do so.'
