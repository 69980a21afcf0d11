import type { FastifyInstance } from 'fastify'
import type { Reproduction, Target } from '../reproduction.ts'

const forged = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  host: 'app.example',
}

function tell(app: FastifyInstance): FastifyInstance {
  app.get('/', async ({ hostname, protocol, ip }) => `${protocol}://${hostname} for ${ip}`)
  return app
}

async function forge({ create, ask }: Target, trustProxy: unknown): Promise<void> {
  await ask(tell(create({ trustProxy })), { url: '/', headers: forged })
}

/** `hostname`, `protocol` and `ip` behind proxies. */
export const proxies: readonly Reproduction[] = [
  {
    advisory: 'CVE-2026-3635',
    what: "`hostname` and `protocol` trust `X-Forwarded-*` from addresses that `trustProxy` doesn't list",
    attack: (target) => forge(target, '10.0.0.1'),
    framework: ['200 http://app.example for 127.0.0.1'],
  },
  {
    advisory: 'CVE-2026-3635',
    what: 'the same when a `trustProxy` function rejects the address',
    attack: (target) => forge(target, (address: string) => address === '10.0.0.1'),
    framework: ['200 http://app.example for 127.0.0.1'],
  },
  {
    advisory: 'CVE-2026-16732',
    what: '`trustProxy` with a number of hops trusts every client that connects directly',
    attack: (target) => forge(target, 1),
    framework: ['200 http://app.example for 127.0.0.1'],
  },
  {
    advisory: '@fastify/proxy-addr 5',
    what: 'a link-local address that `trustProxy` allows on one interface is trusted on all interfaces',
    async attack({ create, ask }) {
      const remoteAddress = 'fe80::1%eth1'
      const app = tell(create({ trustProxy: 'fe80::1%eth0' }))
      await ask(app, { url: '/', headers: forged, remoteAddress })
    },
    framework: ['200 http://app.example for fe80::1%eth1'],
  },
  {
    advisory: 'CVE-2026-3635',
    what: 'headers of a trusted proxy are ignored',
    attack: (target) => forge(target, '127.0.0.1'),
    framework: 'same',
  },
]
