/** Self-signed certificates, created for each process: scanners would find a key in the sources. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Both in PEM, as `https.createServer` takes them. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate of `localhost`, valid until 2049. */
export function createCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: toPem(toCertificate(publicKey, privateKey)),
  }
}

/** X.509 version 1, which has no extensions (RFC 5280, 4.1). */
function toCertificate(publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const name = sequence(
    der(0x31, sequence(der(0x06, commonName), der(0x0c, Buffer.from('localhost')))),
  )
  const validity = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'))
  const serial = der(0x02, Buffer.from([1]))
  const algorithm = sequence(der(0x06, ecdsaWithSha256))
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const content = sequence(serial, algorithm, name, validity, name, keyInfo)
  const signature = sign('sha256', content, privateKey)
  // The zero says that no bits of the last byte are unused.
  return sequence(content, algorithm, der(0x03, Buffer.from([0]), signature))
}

/** 2.5.4.3 */
const commonName = Buffer.from([0x55, 0x04, 0x03])
/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
