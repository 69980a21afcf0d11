/**
 * What is known to go wrong where schemas are compiled ahead of time, and the test that shows that it does not. The
 * tests are named by their titles; one that is renamed or gone fails here.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

const traps: readonly (readonly [trap: string, file: string, title: string])[] = [
  // Functions of the application
  [
    'a format that is a function fails with the first request',
    'compiler/4-emit/functions.test.ts',
    'formats that are functions',
  ],
  [
    'a keyword with `validate` or `compile` has no text',
    'compiler/4-emit/functions.test.ts',
    'keywords with compile and macro',
  ],
  [
    'functions live in the scope of a plugin',
    'compiler/4-emit/functions.test.ts',
    'functions in the scope of a plugin',
  ],
  [
    'the code of a keyword refers to a function',
    'compiler/4-emit/contexts.test.ts',
    'a function that the code of a keyword refers to',
  ],
  [
    'a built-in format that is overridden is taken for the built-in one',
    'support/validator-cases/extensions.ts',
    'an overridden built-in format',
  ],
  [
    'another copy of ajv-formats has other formats',
    'compiler/4-emit/functions.test.ts',
    "the application's own copy of ajv-formats",
  ],
  [
    'ajv-formats is called twice in two modes',
    'compiler/4-emit/contexts.test.ts',
    'several option sets, and formats of two kinds under one name',
  ],
  [
    'instanceof, uniqueItemProperties and dynamicDefaults of ajv-keywords',
    'compiler/4-emit/functions.test.ts',
    'functions of ajv-keywords',
  ],
  [
    'another engine of regular expressions',
    'compiler/4-emit/functions.test.ts',
    'an engine of regular expressions',
  ],
  [
    'a `compile` keyword that calls Ajv',
    'compiler/4-emit/functions.test.ts',
    'a keyword that needs the context of the compilation',
  ],
  [
    'what builds well and fails with the first request',
    '../fixtures/diagnostics/function-broken/_config.js',
    'reports a function that evaluates strings',
  ],
  // The shape of what Ajv generates
  [
    'names start again with each instance and clash',
    'compiler/4-emit/contexts.test.ts',
    'several contents under one $id, referred to, recursive, and inline',
  ],
  [
    'output depends on what was compiled before',
    'compiler/4-emit/golden.test.ts',
    'the code of a unit does not depend on what was emitted before',
  ],
  [
    '`errors` is undefined before the first call',
    'compiler/4-emit/keywords.test.ts',
    'assert.equal(ours.errors, null)',
  ],
  [
    'variables that Ajv forgets to declare, verdicts that it forgets to set',
    'support/validator-cases/schemas.ts',
    'a list without items, of which Ajv does not check what follows its tuple',
  ],
  [
    'another version of Ajv generates other code',
    'compiler/4-emit/golden.test.ts',
    'laid out to be read',
  ],
  [
    '`require` in generated code, helpers of Ajv at run time',
    'compiler/4-emit/injection.test.ts',
    'emitted.imports.every((name) => name in internal)',
  ],
  [
    'a helper of Ajv is replaced by one that differs',
    'compiler/4-emit/formats.test.ts',
    'accepts and orders what ajv-formats does',
  ],
  // Fastify's own ways
  [
    'a known $id wins over the inline schema',
    'support/validator-cases/schemas.ts',
    'an inline schema with the id of a shared one gives way to it',
  ],
  [
    'an inline `#` without $id is refused',
    'compiler/4-emit/keywords.test.ts',
    "{ n: { $ref: '#' } }",
  ],
  [
    'recursive references across shared schemas',
    'support/validator-cases/schemas.ts',
    'mutually recursive shared schemas',
  ],
  [
    'header names, short forms, the alias query',
    'runtime/route/schemas.test.ts',
    'short forms, the alias query, fluent schemas',
  ],
  [
    'defaults are written as JSON',
    'support/validator-cases/schemas.ts',
    'defaults that JSON changes',
  ],
  [
    'members called __proto__',
    'support/validator-cases/schemas.ts',
    'enum and const of objects, with a property called __proto__',
  ],
  [
    'compilers that the application brings',
    'runtime/route/schemas.test.ts',
    'compilers: route, context, factory, default',
  ],
  // Serializers
  [
    'dates in unions fail or become {}',
    'compiler/4-emit/emit.test.ts',
    'a serializer tells the branches of a union apart, dates included',
  ],
  [
    'unions need Ajv at run time',
    'compiler/4-emit/serializer.test.ts',
    'unions run where code generation is refused',
  ],
  [
    'options of one serializer reach the next',
    'compiler/4-emit/contexts.test.ts',
    'options of one serializer do not reach the next',
  ],
  ['rounding is lost', 'fuzz/profiles.ts', "{ rounding: 'ceil' }"],
  [
    '`toJSON` of any object stands for a string',
    'compiler/4-emit/serializer.test.ts',
    'an object with `toJSON` is no string of a union, unless it is a date',
  ],
  [
    'members beside a $ref are merged',
    'compiler/4-emit/serializer.test.ts',
    'what stands beside a reference counts for nothing',
  ],
  [
    'another version of fast-json-stringify generates other code',
    'compiler/4-emit/contexts.test.ts',
    'a serializer whose frame is another than the known one is refused',
  ],
  [
    'what version 5 of fast-json-stringify does differently',
    'fuzz/oracle-defects.ts',
    'isDefectiveOutcome',
  ],
  // The artifact
  [
    'an artifact is older than the schemas',
    'cli/artifact.test.ts',
    'a schema that changed after the build is refused, with route, part and place',
  ],
  [
    'options changed after the build',
    'cli/artifact.test.ts',
    'compiler options that changed refuse every validator',
  ],
  ['two builds differ', 'cli/artifact.test.ts', 'two builds from two folders give identical bytes'],
  [
    'compilers are loaded all the same',
    'cli/loaded-modules.test.ts',
    'with an artifact no compiler is loaded',
  ],
  [
    'another compiler is installed',
    'cli/versions.test.ts',
    'every dependency is pinned to one version',
  ],
  [
    'text of a schema becomes code of the artifact',
    'compiler/4-emit/injection.test.ts',
    'nothing of an application becomes code of its artifact',
  ],
]

for (const [trap, file, title] of traps) {
  test(`${trap}: ${file}`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../../test', file), 'utf8')
    assert.ok(text.includes(title), title)
  })
}
