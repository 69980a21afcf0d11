/** `@framework/compiler`: compiles an application's schemas ahead of time. */
export type { Manifest } from './5-artifact/manifest.ts'
export type { BuildResult, BuiltArtifact, Reuse } from './build.ts'
export { build } from './build.ts'
export type { CompiledArtifact, CompileResult } from './result.ts'
export { compile } from './compile.ts'
export type { Diagnostic, OnPhase, Phase, SourceLocation } from './model/index.ts'
export type { BuildOptions } from './options.ts'
export { isDynamic } from './report/dynamic.ts'
export type {
  ReadyMadeRules,
  Rule,
  RuleHook,
  RuleRoute,
  Rules,
  RuleSchema,
  RuleSet,
  RuleSettings,
} from './model/rules.ts'
export { defineRules } from './model/rules.ts'
export { codeFrame } from './report/frame.ts'
