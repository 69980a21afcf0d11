import type { Line } from '../../runtime/artifact/lines.ts'
import { fastify4 } from './fastify-4.ts'
import { fastify5 } from './fastify-5.ts'
import { framework } from './framework.ts'
import type { LineMeaning } from './line.ts'

export type { LineMeaning } from './line.ts'

const table: Readonly<Record<Line, LineMeaning>> = {
  framework,
  'fastify@4': fastify4,
  'fastify@5': fastify5,
}

/** @param serializers the line whose serializers answer as what is installed */
export function meaningOf(line: Line, serializers: Line = line): LineMeaning {
  return serializers === line
    ? table[line]
    : { ...table[line], serializers: table[serializers].serializers }
}
