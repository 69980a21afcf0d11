/** The built-in constraint strategies. */
import { assert } from '../assert.ts'
import type { ConstraintStorage, ConstraintStrategy } from '../types.ts'

/** `constraints.host`: the host of the request, as a string or a regular expression. */
export const hostStrategy: ConstraintStrategy = {
  name: 'host',
  mustMatchWhenDerived: false,
  storage: createHostStorage,
  deriveConstraint: (req) => req.headers['host'] || req.headers[':authority'],
  validate(value) {
    assert(
      typeof value === 'string' || Object.prototype.toString.call(value) === '[object RegExp]',
      'Host should be a string or a RegExp',
    )
  },
}

/** `constraints.version`: the request's `accept-version`, a version or a range such as `1.x`. */
export const versionStrategy: ConstraintStrategy = {
  name: 'version',
  mustMatchWhenDerived: true,
  storage: createVersionStorage,
  deriveConstraint: (req) => req.headers['accept-version'],
  validate(value) {
    assert(typeof value === 'string', 'Version should be a string')
  },
}

function createHostStorage(): ConstraintStorage {
  const exact = new Map<unknown, number>()
  const patterns: { host: RegExp; routes: number }[] = []
  return {
    get(host) {
      const routes = exact.get(host)
      if (routes) {
        return routes
      }
      return patterns.find((pattern) => pattern.host.test(String(host)))?.routes
    },
    set(host, routes) {
      if (host instanceof RegExp) {
        // With the flag `g` or `y` it would continue after the match of the previous request.
        const flags = host.flags.replace(/[gy]/g, '')
        patterns.push({ host: new RegExp(host.source, flags), routes })
      } else {
        exact.set(host, routes)
      }
    },
  }
}

function createVersionStorage(): ConstraintStorage {
  const byRange = new Map<unknown, number>()
  const maxMinors = new Map<number, number>()
  let maxMajor = 0
  return {
    get: (range) => byRange.get(range),
    set(version, routes) {
      const [major = 0, minor = 0, patch = 0] = String(version)
        .split('.')
        .map((part) => Number(part) || 0)
      if (major >= maxMajor) {
        maxMajor = major
        for (const range of ['x', '*', 'x.x', 'x.x.x']) {
          byRange.set(range, routes)
        }
      }
      if (minor >= (maxMinors.get(major) ?? 0)) {
        maxMinors.set(major, minor)
        byRange.set(`${major}.x`, routes)
        byRange.set(`${major}.x.x`, routes)
      }
      // The last one that was added instead of the highest patch, as with find-my-way.
      byRange.set(`${major}.${minor}.x`, routes)
      byRange.set(`${major}.${minor}.${patch}`, routes)
    },
  }
}
