/** Selects the **profile** of a server: what differs between those that an artifact can be for, the runtime, Fastify 4 and Fastify 5. */
import type { LineName, Serializing } from '../../runtime/artifact/lines.ts'
import { fastify4 } from './fastify-4.ts'
import { fastify5 } from './fastify-5.ts'
import { framework } from './framework.ts'
import type { TargetProfile, SerializerProfile } from './profile.ts'

export type { TargetProfile } from './profile.ts'

const profiles: Readonly<Record<LineName, TargetProfile>> = {
  framework,
  'fastify@4': fastify4,
  'fastify@5': fastify5,
}

const serializerProfiles: Readonly<Record<Serializing, SerializerProfile>> = {
  framework: framework.serializers,
  'fastify@4': fastify4.serializers,
  'fastify@5': fastify5.serializers,
  'fast-json-stringify@6.2': { line: 'fast-json-stringify@6.2', version: 6 },
}

/** @param serializers the implementation whose output serializers match */
export function profileOf(line: LineName, serializers: Serializing = line): TargetProfile {
  return serializers === line
    ? profiles[line]
    : { ...profiles[line], serializers: serializerProfiles[serializers] }
}
