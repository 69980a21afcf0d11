import type { Target } from './summary.ts'

/** Modules whose class is there to generate code; what its methods do cannot be told from their names. */
const AJV = /^ajv(?:-draft-04|\/dist\/(?:2019|2020|ajv|core|jtd)(?:\.js)?)?$/

/** Whether calling or constructing the target makes an Ajv. */
export function isAjv(target: Target | undefined): boolean {
  if (target?.type !== 'import' || !AJV.test(target.specifier)) return false
  return target.name === undefined || target.name.startsWith('Ajv')
}
