/** `framework init`: the facts that it finds in a project, and the changes that it plans. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { VERSION } from '../../../runtime/artifact/version.ts'
import { application, project } from './project.ts'

const on4 = { dependencies: { fastify: '4.21.0' } }
const toDist = '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }'

const locks = {
  npm: ['package-lock.json', '{}'],
  pnpm: ['pnpm-lock.yaml', ''],
  yarn: ['yarn.lock', ''],
} as const

test('an application that imports Fastify, where this package alone is installed', async (t) => {
  const shop = project(t, {
    'package.json': { type: 'module', dependencies: { framework: 'file:framework.tgz' } },
    'app.js': "import fastify from 'fastify'\nfastify().listen()\n",
  })
  await shop.prepare()
  const { dependencies } = shop.manifest()
  assert.deepEqual(dependencies, { fastify: 'file:framework.tgz', framework: 'file:framework.tgz' })
})

for (const manager of ['npm', 'pnpm', 'yarn'] as const) {
  for (const modules of ['module', 'commonjs'] as const) {
    for (const language of ['ts', 'js'] as const) {
      for (const version of ['4.29.1', '5.12.8']) {
        test(`${manager}, ${modules}, ${language}, Fastify ${version}`, async (t) => {
          const [lock, text] = locks[manager]
          const isTyped = language === 'ts'
          const program = isTyped ? 'dist/server.js' : 'src/server.js'
          const shop = project(t, {
            [lock]: text,
            'package.json': {
              name: 'shop',
              type: modules,
              scripts: {
                lint: 'eslint .',
                ...(isTyped && { build: 'tsc' }),
                start: `NODE_ENV=production node --enable-source-maps ${program}`,
                dev: isTyped ? 'tsx watch src/server.ts' : 'node --watch src/server.js',
              },
              dependencies: { '@fastify/cors': '1', fastify: `^${version}`, zod: '3' },
              devDependencies: { ...(isTyped && { tsx: '4', typescript: '5' }), vitest: '3' },
            },
            [`src/server.${language}`]: "import fastify from 'fastify'\nfastify().listen()\n",
            ...(isTyped && {
              'tsconfig.json': toDist,
            }),
            'node_modules/fastify/package.json': { name: 'fastify', version },
          })
          const { found, line } = await shop.prepare()
          assert.equal(found.packageManager, manager)
          assert.equal(found.language, isTyped ? 'TypeScript' : 'JavaScript')
          assert.equal(found.modules, modules === 'module' ? 'ES modules' : 'CommonJS')
          assert.deepEqual(found.testRunners, ['vitest'])
          assert.equal(found.entry, `src/server.${language}`)
          const isOurs = version.startsWith('4')
          const after = shop.manifest()
          const target = isOurs ? '' : ' --server fastify@5'
          const build = `framework build src/server.${language}${target}`
          const head = isOurs ? 'register.js' : 'fastify.mjs'
          const develop = isOurs ? ' --import framework/development' : ''
          assert.deepEqual(after.scripts, {
            lint: 'eslint .',
            build: isTyped ? `tsc && ${build}` : build,
            start: `NODE_ENV=production node --import ./.framework/${head} --enable-source-maps ${program}`,
            dev: isTyped
              ? `tsx watch${develop} src/server.ts`
              : `node${develop} --watch src/server.js`,
          })
          const own = { framework: VERSION }
          assert.deepEqual(after.dependencies, {
            '@fastify/cors': '1',
            fastify: isOurs ? `npm:framework@${VERSION}` : `^${version}`,
            ...(isOurs && own),
            zod: '3',
          })
          assert.deepEqual(after.devDependencies, {
            '@framework/compiler': VERSION,
            ...(!isOurs && own),
            ...(isTyped && { tsx: '4', typescript: '5' }),
            vitest: '3',
          })
          assert.deepEqual(Object.keys(after.dependencies), Object.keys(after.dependencies).sort())
          assert.equal(shop.read('.gitignore'), '.framework/\n')
          // Again: nothing is left to do.
          const again = await shop.plan()
          assert.deepEqual(again.files, [])
          assert.equal(again.line, line)
        })
      }
    }
  }
}

test('indentation, order, line ends, comments and the byte order mark stay', async (t) => {
  const shop = project(t, {
    'package.json':
      '\uFEFF{\r\n\t"private": true,\r\n\t"scripts": {\r\n\t\t"z": "1",\r\n\t\t"a": "2"\r\n\t},\r\n\t"dependencies": {\r\n\t\t"@fastify/jwt": "8",\r\n\t\t"framework": "file:../framework.tgz"\r\n\t},\r\n\t"type": "module"\r\n}',
    'tsconfig.json':
      '// ours\n{\n    "compilerOptions": {\n        "types": ["node"], // not more\n    },\n}\n',
    '.gitignore': 'node_modules\r\ndist',
    'app.ts': "import framework from 'framework'\nframework().listen()\n",
  })
  await shop.prepare()
  assert.equal(
    shop.read('package.json'),
    `\uFEFF{\r\n\t"private": true,\r\n\t"scripts": {\r\n\t\t"z": "1",\r\n\t\t"a": "2",\r\n\t\t"build": "framework build app.ts",\r\n\t\t"start": "node --import ./.framework/register.js app.ts",\r\n\t\t"dev": "framework dev app.ts"\r\n\t},\r\n\t"dependencies": {\r\n\t\t"@fastify/jwt": "8",\r\n\t\t"framework": "file:../framework.tgz"\r\n\t},\r\n\t"type": "module",\r\n\t"devDependencies": {\r\n\t\t"@framework/compiler": "${VERSION}"\r\n\t}\r\n}`,
  )
  const config = shop.read('tsconfig.json')
  assert.match(config, /^\/\/ ours\n\{\n {4}"compilerOptions"/)
  assert.match(config, /"node",\s+"framework\/fastify"\s*\], \/\/ not more\n/)
  assert.equal(shop.read('.gitignore'), 'node_modules\r\ndist\r\n.framework/\r\n')
  assert.deepEqual((await shop.plan()).files, [])
})

test('a package from a file replaces Fastify from that file', async (t) => {
  const file = 'file:../framework-0.1.0.tgz'
  const shop = application(t, { dependencies: { fastify: '4.21.0', framework: file } })
  const plan = await shop.prepare()
  const changes = plan.files[0]?.changes
  const { dependencies } = shop.manifest()
  assert.ok(changes?.includes(`dependencies: fastify 4.21.0 → ${file}`), changes?.join())
  assert.deepEqual(dependencies, { fastify: file, framework: file })
  assert.deepEqual((await shop.plan()).files, [])
})

test('the start script decides how Node gets the artifact', async (t) => {
  const scripts: Readonly<Record<string, string | undefined>> = {
    'node app.js': 'node --import ./.framework/register.js app.js',
    'cross-env PORT=1 node app.js':
      'cross-env PORT=1 node --import ./.framework/register.js app.js',
    'npm run clean && node app.js':
      'npm run clean && node --import ./.framework/register.js app.js',
    'fastify start -l info app.js':
      "NODE_OPTIONS='--import ./.framework/register.js' fastify start -l info app.js",
    'node --import ./.framework/register.js app.js':
      'node --import ./.framework/register.js app.js',
    'docker compose up': undefined,
    "NODE_OPTIONS='-r x' nodemon app.js": undefined,
  }
  for (const [before, after] of Object.entries(scripts)) {
    const manifest = { ...on4, scripts: { start: before } }
    const shop = application(t, manifest, { '.framework/register.js': '' })
    const plan = await shop.prepare()
    const { start, dev } = shop.manifest().scripts
    assert.equal(start, after ?? before)
    assert.equal(dev, 'framework dev app.js')
    assert.equal(plan.notes.length, after === undefined ? 1 : 0, plan.notes.join())
  }
})

test('a note says what to do where Yarn keeps packages in archives', async (t) => {
  const { notes } = await application(t, on4, { 'yarn.lock': '', '.pnp.cjs': '' }).plan()
  assert.equal(notes.length, 1)
  assert.match(notes.join(), /^Yarn Plug'n'Play .* Set `nodeLinker: node-modules` in \.yarnrc\.yml/)
})

test('other scripts that start the application stay, and a note says how they get the artifact', async (t) => {
  const scripts = {
    start: 'node dist/app.js',
    production: 'pm2 start dist/app.js',
    cluster: 'pm2 start ecosystem.config.cjs',
    'start:dev': 'tsx watch src/app.ts',
    served: 'node --import ./.framework/register.js dist/app.js',
    lint: 'eslint src/app.ts && node tools.js',
    bundle: 'esbuild src/app.ts --bundle',
  }
  const shop = project(t, {
    'package.json': { scripts, ...on4 },
    'tsconfig.json': toDist,
    'src/app.ts': "import fastify from 'fastify'\nfastify().listen()\n",
  })
  const { notes } = await shop.plan()
  const flag = (name: string, command: string, needed = 'the artifact'): string =>
    `The script \`${name}\` starts the application as well, and is left as it is. There it needs ${needed}: \`${command}\`.`
  const options = "NODE_OPTIONS='--import ./.framework/register.js'"
  assert.deepEqual(notes, [
    'The script `build` runs tsc: install typescript as a development dependency.',
    'The script `dev` runs TypeScript. Node does so from 22.18 on; for Node 20 install tsx as a development dependency.',
    flag('production', `${options} pm2 start dist/app.js`),
    flag('cluster', `${options} pm2 start ecosystem.config.cjs`),
    flag('start:dev', 'tsx watch --import framework/development src/app.ts', 'the compiler'),
  ])
})

test('a script that runs TypeScript says what that takes, unless tsx is there', async (t) => {
  const files = (devDependencies: Readonly<Record<string, string>>) => ({
    'package.json': { ...on4, devDependencies },
    'src/app.ts': "import fastify from 'fastify'\nfastify().listen()\n",
  })
  assert.deepEqual((await project(t, files({})).plan()).notes, [
    'The script `dev` runs TypeScript, and so does `start`. Node does so from 22.18 on; for Node 20 install tsx as a development dependency.',
  ])
  assert.deepEqual((await project(t, files({ tsx: '4' })).plan()).notes, [])
})

test('sources that compile to other files are compiled before the build', async (t) => {
  const files = (devDependencies: Readonly<Record<string, string>>) => ({
    'package.json': { dependencies: { framework: VERSION }, devDependencies },
    'tsconfig.json': toDist,
    'src/app.ts': "import framework from 'framework'\nframework().listen()\n",
  })
  const shop = project(t, files({ tsx: '4' }))
  assert.deepEqual((await shop.prepare()).notes, [
    'The script `build` runs tsc: install typescript as a development dependency.',
  ])
  assert.deepEqual(shop.manifest().scripts, {
    build: 'tsc && framework build src/app.ts',
    start: 'node --import ./.framework/register.js dist/app.js',
    dev: 'framework dev src/app.ts',
  })
  const { notes } = await project(t, files({ tsx: '4', typescript: '5' })).plan()
  assert.deepEqual(notes, [])
})

test('packages that depend on Fastify get this one, as the package manager expects it', async (t) => {
  const overrides = {
    npm: { overrides: { fastify: '$fastify' } },
    yarn: { resolutions: { fastify: `npm:framework@${VERSION}` } },
    pnpm: {},
  }
  for (const manager of ['npm', 'yarn', 'pnpm'] as const) {
    const dependencies = { fastify: '4.21.0', 'fastify-cli': '6' }
    const shop = project(t, {
      'package.json': { packageManager: `${manager}@9.0.0`, main: 'app.js', dependencies },
      'app.js': "module.exports = async (fastify) => { fastify.get('/', async () => '') }\n",
    })
    const plan = await shop.prepare()
    const { overrides: one, resolutions: other, scripts } = shop.manifest()
    assert.deepEqual(
      { ...(one && { overrides: one }), ...(other && { resolutions: other }) },
      overrides[manager],
    )
    assert.equal(plan.notes.join().includes('pnpm-workspace.yaml'), manager === 'pnpm')
    // It exports a plugin, which fastify-cli starts.
    assert.equal(
      scripts['start'],
      "NODE_OPTIONS='--import ./.framework/register.js' fastify start app.js",
    )
  }
})

test('a build script that packs the application stays', async (t) => {
  for (const [build, after] of [
    ['docker build -t app .', undefined],
    ['tsc && docker compose build', undefined],
    ['turbo run build', undefined],
    ['tsc --watch', undefined],
    ['tsc -p docker', 'tsc -p docker && framework build app.js'],
  ] as const) {
    const shop = application(t, { ...on4, scripts: { build } })
    const { notes } = await shop.prepare()
    assert.equal(shop.manifest().scripts['build'], after ?? build)
    assert.equal(notes.length, after === undefined ? 1 : 0)
    if (after === undefined)
      assert.match(notes.join(), /^The script `build` packs .* `framework build app\.js`/)
  }
})

test('Dockerfiles and the like that start the application are noted', async (t) => {
  const shop = application(t, on4, {
    Dockerfile: 'FROM node\nRUN node tools.js\nCMD ["node", "--enable-source-maps", "app.js"]\n',
    'deploy/api.Dockerfile': 'ENTRYPOINT node ./app.js\n',
    Procfile: 'web: PORT=1 node app.js\nworker: node worker.js\n',
    'fly.toml': '[processes]\napp = "node app.js"\n',
    'render.yaml': "services:\n  - type: web\n    startCommand: 'node app.js'\n",
    'compose.yaml':
      'services:\n  api:\n    command: ["node", "--import", "./.framework/register.js", "app.js"]\n',
  })
  const flag = '--import ./.framework/register.js'
  const { notes } = await shop.plan()
  const shortNotes = notes.map((note) =>
    note.replace(/ starts the application as well.*flag:|(?<=`\.) Build .*/g, ''),
  )
  assert.deepEqual(shortNotes, [
    `Dockerfile:3 \`node ${flag} --enable-source-maps app.js\`.`,
    `Procfile:1 \`PORT=1 node ${flag} app.js\`.`,
    `deploy/api.Dockerfile:1 \`node ${flag} ./app.js\`.`,
    `fly.toml:2 \`node ${flag} app.js\`.`,
    `render.yaml:3 \`node ${flag} app.js\`.`,
  ])
})

test('in a workspace, versions come from its other packages, and the entry from what a script runs last', async (t) => {
  const shop = project(t, {
    'package.json': {
      workspaces: ['apps/*'],
      devDependencies: { '@framework/compiler': 'file:tarballs/compiler.tgz' },
    },
    'apps/one/package.json': {
      dependencies: { framework: 'file:../../tarballs/framework.tgz' },
    },
    'apps/broken/package.json': '',
    'apps/two/package.json': { ...on4, scripts: { start: 'node db.js && node my-app.js' } },
    'apps/two/db.js': '',
    'apps/two/my-app.js': "require('fastify')().listen()\n",
  })
  const { found } = await shop.prepare(undefined, { folder: join(shop.folder, 'apps/two') })
  assert.equal(found.entry, 'my-app.js')
  const { dependencies, devDependencies } = JSON.parse(shop.read('apps/two/package.json'))
  const file = 'file:../../tarballs/framework.tgz'
  assert.deepEqual(dependencies, { fastify: file, framework: file })
  assert.deepEqual(devDependencies, { '@framework/compiler': 'file:../../tarballs/compiler.tgz' })
})

test('the root of a workspace may be the application; a note says that no module mentions a schema', async (t) => {
  const files = {
    'package.json': { workspaces: ['packages/*'], dependencies: { fastify: '4.21.0' } },
    'app.js': "require('fastify')().listen()\n",
    'packages/a/package.json': {},
  }
  const shop = project(t, files)
  const { found } = await shop.plan()
  assert.deepEqual([found.entry, found.isMember, found.hasSchemas], ['app.js', false, false])
  assert.match(shop.init('--dry-run').stdout, /^No module mentions a schema/m)
  const other = project(t, { ...files, 'app.js': `${files['app.js']}// schema\n` })
  assert.doesNotMatch(other.init('--dry-run').stdout, /^No module mentions a schema/m)
})
