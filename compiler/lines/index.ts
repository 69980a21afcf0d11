import type { Line, Serializing } from '../../runtime/artifact/lines.ts'
import { fastify4 } from './fastify-4.ts'
import { fastify5 } from './fastify-5.ts'
import { framework } from './framework.ts'
import type { LineMeaning, SerializerMeaning } from './line.ts'

export type { LineMeaning } from './line.ts'

const table: Readonly<Record<Line, LineMeaning>> = {
  framework,
  'fastify@4': fastify4,
  'fastify@5': fastify5,
}

const serializerTable: Readonly<Record<Serializing, SerializerMeaning>> = {
  framework: framework.serializers,
  'fastify@4': fastify4.serializers,
  'fastify@5': fastify5.serializers,
  'fast-json-stringify@6.2': { line: 'fast-json-stringify@6.2', version: 6 },
}

/** @param serializers whom they answer as: what is installed */
export function meaningOf(line: Line, serializers: Serializing = line): LineMeaning {
  return serializers === line
    ? table[line]
    : { ...table[line], serializers: serializerTable[serializers] }
}
