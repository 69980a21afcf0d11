/** Secrets and files outside of the project get into a deployment only if the user names them. */
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { temporaryFolder, writeAll } from '../support/folders.ts'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkshop, filesLeftOut } from '../support/workshop.ts'

const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n`

/** Files of the folder `data`, which the application reads, and the reason that they are left out. */
const files: Readonly<Record<string, readonly [content: string | Buffer, reason?: RegExp]>> = {
  'terms.txt': ['agreed'],
  'secrets.route.js': ['// a module'],
  'secrets/index.txt': ['a folder of the application'],
  'secretary.txt': ['a person'],
  'history.txt': ['of the firm'],
  'environment.md': ['PORT'],
  'ca.pem': ['-----BEGIN CERTIFICATE-----\n'],
  '.env': ['PASSWORD=1', /secrets/],
  '.env.production': ['PASSWORD=2', /secrets/],
  'prod.env': ['PASSWORD=3', /secrets/],
  '.npmrc': ['token', /secrets/],
  'prod.env.local': ['PASSWORD=4', /secrets/],
  '.ssh/config': ['Host', /secrets/],
  '.docker/config.json': ['{}', /secrets/],
  'infra/terraform.tfstate': ['{}', /secrets/],
  'keys/id_ed25519': ['', /secrets/],
  'keys/server.key': ['', /secrets/],
  'keys/store.p12': ['', /secrets/],
  'keys/server.pem': [key, /private key/],
  'keys/utf16.pem': [Buffer.from(`\ufeff${key}`, 'utf16le'), /private key/],
  'keys/utf16be.pem': [Buffer.from(key, 'utf16le').swap16(), /private key/],
  'keys/ssh2.txt': ['---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----', /private key/],
  ...Object.fromEntries(
    `.my.cnf .mylogin.cnf .s3cfg .boto .dockercfg _netrc .bash_history .zsh_history .psql_history .node_repl_history secrets.json
    secrets.yml secret.txt client_secret.json .secrets prod.secrets.json credentials.json aws-credentials.csv .credentials
    application_default_credentials.json AuthKey.p8 rclone.conf`
      .split(/\s+/)
      .map((name) => [`homes/${name}`, ['', /secrets/] as const]),
  ),
  'account.json': [JSON.stringify({ private_key: key }), /private key/],
}

for (const target of ['node', 'lambda']) {
  test(`--target ${target}`, (t) => {
    const outside = temporaryFolder(t)
    writeAll(outside, { passwd: 'root', 'one/etc/hosts': '', 'two/etc/hosts': '' })
    const shop = createWorkshop(t, 'cli/empty')
    shop.write('package-lock.json', '{}')
    shop.writeApp(`import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import framework from 'framework'
export const app = framework()
const data = join(import.meta.dirname, 'data')
const read = (file) => readFileSync(join(data, file), 'utf8')
app.get('/', async () => [read('terms.txt'), readFileSync(join(import.meta.dirname, '.env')), readFileSync(join(import.meta.dirname, '.aws/credentials'))])
`)
    for (const [file, [content]] of Object.entries(files)) {
      shop.write(`data/${file}`, '')
      writeFileSync(join(shop.folder, 'data', file), content)
    }
    shop.write('.env', 'PASSWORD=0')
    shop.write('.aws/credentials', 'PASSWORD=5')
    shop.write('shared.txt', 'shared')
    symlinkSync(join(outside, 'passwd'), join(shop.folder, 'data/linked.txt'))
    symlinkSync('../shared.txt', join(shop.folder, 'data/within.txt'))
    symlinkSync('.env', join(shop.folder, 'data/renamed.txt'))
    symlinkSync('keys', join(shop.folder, 'data/folder'))
    // A package of the workspace that stays out of the bundle.
    shop.write('packages/native/package.json', '{ "name": "native", "gypfile": true }')
    shop.write('packages/native/index.js', 'module.exports = 1')
    shop.write('packages/native/.env', 'PASSWORD=4')
    symlinkSync('../packages/native', join(shop.folder, 'node_modules/native'))
    const deployed = (...more: string[]): { files: string[]; left: Map<string, string> } => {
      const args = ['--target', target, '--external', 'native', '--out', 'out', ...more]
      return {
        left: filesLeftOut(shop.warnings('deploy', 'app.js', ...args)),
        files: shop.list('out'),
      }
    }
    const all = deployed()
    const expected: Readonly<Record<string, RegExp | undefined>> = {
      ...Object.fromEntries(Object.entries(files).map(([file, [, why]]) => [`data/${file}`, why])),
      '.env': /secrets/,
      '.aws/credentials': /secrets/,
      'data/folder': /a link to a folder/,
      'data/linked.txt': /outside/,
      'data/renamed.txt': /secrets/,
      'data/within.txt': undefined,
    }
    for (const [file, reason] of Object.entries(expected)) {
      const name = file.replace(/^(data\/\.(?:ssh|docker))\/.*/, '$1')
      assert.equal(all.files.includes(`files/${file}`), reason === undefined, file)
      if (reason !== undefined) assert.match(all.left.get(name) ?? '', reason, name)
    }
    assert.ok(all.files.includes('node_modules/native/index.js'))
    assert.ok(!all.files.includes('node_modules/native/.env'))
    assert.match(all.left.get('packages/native/.env') ?? '', /secrets/)

    const named = ['data/keys/server.key', 'data/linked.txt', 'data/account.json', '.env']
    const hosts = ['one', 'two'].map((folder) => join(outside, folder, 'etc/hosts'))
    const chosen = deployed(...[...named, ...hosts].flatMap((file) => ['--include', file]))
    assert.equal(chosen.files.filter((file) => file.endsWith('/etc/hosts')).length, 2)
    for (const file of named) {
      assert.ok(chosen.files.includes(`files/${file}`), file)
      assert.ok(!chosen.left.has(file), file)
    }
    assert.ok(!chosen.files.includes('files/data/.env'))
  })
}
