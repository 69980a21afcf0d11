/** Self-signed certificates, created for each process: scanners would find a key in the sources. */
import { execFileSync } from 'node:child_process'

const command =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout - -out -'

/** A certificate of `localhost`, and its key: both in PEM, as `https.createServer` takes them. */
export function createCertificate(): { readonly key: string; readonly cert: string } {
  const pem = execFileSync('openssl', command.split(' '), { encoding: 'utf8', stdio: 'pipe' })
  return { key: pem, cert: pem }
}
