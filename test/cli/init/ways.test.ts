/** `framework init` where something serves the application already: it keeps that, unless options say otherwise. */
import assert from 'node:assert/strict'
import module from 'node:module'
import { test } from 'node:test'
import { planText } from '../../../cli/text/init.ts'
import type { InitOptions } from '../../../cli/init/index.ts'
import { VERSION } from '../../../runtime/artifact/version.ts'
import { application, type Files, project } from './project.ts'

type Wish = Partial<Pick<InitOptions, 'line'>>

const stay = '--import ./.framework/fastify.mjs'
const own = '--import ./.framework/register.js'
const replace = `--import framework/fastify ${own}`
const onFastify = "import fastify from 'fastify'\nfastify().listen()\n"
const on5 = { fastify: '^5.12.8' }
const alias = { fastify: 'npm:@framework/fastify@5.12.8', framework: VERSION }

/** Node since 22.15, or one before, where a preload that replaces Fastify would start a thread. */
function runOn(node: 'new' | 'old'): void {
  if (node === 'old') Reflect.deleteProperty(module, 'registerHooks')
  else Object.assign(module, { registerHooks() {} })
}

runOn('new')

interface Case {
  readonly title: string
  readonly dependencies: object
  readonly app?: string
  readonly files?: Files
  /** The flags in the start script. */
  readonly before?: string
  readonly wish?: Wish
  readonly after: string
  readonly server: string
  readonly node?: 'old'
  /** The alias that is added. */
  readonly added?: string
}

const cases: readonly Case[] = [
  ...[undefined, stay, replace].flatMap((before): Case[] => {
    const title = `Fastify 5, ${before ?? 'plain'}`
    const staying = { after: stay, server: 'Fastify 5, with compiled validators and serializers' }
    const replacing = { after: replace, server: 'framework/5, in place of Fastify 5' }
    const base = { dependencies: on5, ...(before !== undefined && { before }) }
    return [
      { title, ...base, ...(before === replace ? replacing : staying) },
      {
        title: `${title}, --server framework`,
        ...base,
        wish: { line: 'framework' },
        ...replacing,
      },
      { title: `${title}, --server fastify@5`, ...base, wish: { line: 'fastify@5' }, ...staying },
    ]
  }),
  ...[undefined, stay, replace].map((before): Case => {
    const byAlias = { after: own, server: 'framework/5', added: alias.fastify }
    return {
      title: `Fastify 5, ${before ?? 'plain'}, --server framework on an old Node`,
      dependencies: on5,
      ...(before !== undefined && { before }),
      wish: { line: 'framework' },
      node: 'old',
      files: { 'node_modules/fastify/package.json': { name: 'fastify', version: '5.12.8' } },
      ...(before === replace
        ? { after: replace, server: 'framework/5, in place of Fastify 5' }
        : byAlias),
    }
  }),
  ...(['fastify@5', 'framework'] as const).flatMap((line): Case[] => {
    const what = { wish: { line }, after: own, server: 'framework/5' }
    return [
      {
        title: `an import of framework/5, ${line}`,
        app: "import framework from 'framework/5'\nframework().listen()\n",
        dependencies: { framework: VERSION },
        ...what,
      },
      { title: `an alias for Fastify 5, ${line}`, dependencies: alias, ...what },
    ]
  }),
  {
    title: 'an import of framework/5, no option',
    app: "import framework from 'framework/5'\nframework().listen()\n",
    dependencies: { framework: VERSION },
    before: stay,
    after: own,
    server: 'framework/5',
  },
  ...(['framework/5', 'framework', 'an alias'] as const).flatMap((name): Case[] => {
    const isAlias = name === 'an alias'
    const app = isAlias ? onFastify : `import framework from '${name}'\nframework().listen()\n`
    const base = {
      app,
      dependencies: isAlias ? alias : { framework: VERSION },
      before: replace,
      server: isAlias ? 'framework/5' : name,
    }
    const restartable = { name: '@fastify/restartable', dependencies: { fastify: '^5.0.0' } }
    return [
      { title: `${name} after a replacement`, ...base, after: own },
      {
        title: `${name} after a replacement that a package needs`,
        ...base,
        dependencies: { ...base.dependencies, '@fastify/restartable': '3' },
        files: { 'node_modules/@fastify/restartable/package.json': restartable },
        after: replace,
      },
      {
        title: `${name} after a replacement that another module needs`,
        ...base,
        files: { 'codes.js': "export { errorCodes } from 'fastify'\n" },
        after: isAlias ? own : replace,
      },
    ]
  }),
  {
    title: 'an alias for Fastify 5, no option',
    dependencies: alias,
    after: own,
    server: 'framework/5',
  },
  {
    title: 'Fastify 4, replaced by a preload',
    dependencies: { fastify: '4.29.1' },
    before: replace,
    after: replace,
    server: 'framework, in place of Fastify 4',
  },
  {
    title: 'Fastify 5 that another package of the workspace lists',
    dependencies: {},
    files: { 'node_modules/fastify/package.json': { name: 'fastify', version: '5.12.8' } },
    after: stay,
    server: 'Fastify 5, with compiled validators and serializers',
  },
]

for (const { title, dependencies, app, files, before, wish = {}, ...expected } of cases) {
  const { after, server, node = 'new', added } = expected
  test(`${title}: ${server}`, async (t) => {
    runOn(node)
    t.after(() => runOn('new'))
    const start = before === undefined ? 'node' : `node ${before}`
    const isPlain = before === undefined || 'framework' in dependencies
    const manifest = {
      type: 'module',
      scripts: { start: `${start} app.js`, clean: 'rm -r dist' },
      dependencies,
      devDependencies: isPlain ? {} : { framework: VERSION },
    }
    const shop = application(t, manifest, { 'app.js': app ?? onFastify, ...files })
    const plan = await shop.prepare(undefined, wish)
    assert.ok(planText(plan, (_, text) => text).includes(`, served by ${server}\n`))
    const { scripts, ...tables } = shop.manifest()
    assert.equal(scripts['start'], `node ${after} app.js`)
    // `framework` is a dependency if production imports it. The application's own imports stay.
    const isOurs = after !== stay
    assert.equal(tables.dependencies['framework'], isOurs ? VERSION : undefined)
    assert.equal(tables.devDependencies['framework'], isOurs ? undefined : VERSION)
    const { framework: _, ...others } = tables.dependencies
    const { framework: __, ...given } = dependencies as Record<string, string>
    assert.deepEqual(others, added === undefined ? given : { ...given, fastify: added })
    // Again, with the same option or none: nothing is left to do.
    for (const again of [wish, {}])
      assert.deepEqual((await shop.plan(undefined, again)).files, [], shop.folder)
  })
}

test('other commands that start the application go the same way', async (t) => {
  const manifest = {
    scripts: {
      start: `node ${stay} app.js`,
      production: `NODE_ENV=production node ${stay} app.js`,
      strict: "pm2 start --node-args '--import=./.framework/fastify.mjs?strict' app.js",
      dev: 'node --watch app.js',
      test: 'node --test',
    },
    dependencies: on5,
  }
  const shop = application(t, manifest, {
    Dockerfile: `RUN npm run build\nCMD ["node", "--import", "./.framework/fastify.mjs", "app.js"]\n`,
  })
  const { notes } = await shop.plan(undefined, { line: 'framework' })
  assert.deepEqual(notes, [
    '`dev` and `test` still run Fastify itself: give Node the flags `--import framework/fastify --import framework/development` there, or let `dev` be `framework dev`.',
    ...[
      ['production', `NODE_ENV=production node ${replace} app.js`],
      ['strict', `pm2 start --node-args '${replace}' app.js`],
    ].map(
      ([name, command]) =>
        `The script \`${name}\` starts the application as well, and is left as it is. There it needs the artifact: \`${command}\`.`,
    ),
    `Dockerfile:2 starts the application as well, and is left as it is. It needs the folder .framework and the flag: \`node --import framework/fastify --import ./.framework/register.js app.js\`.`,
  ])
})

test('a note says how test runners that resolve names themselves replace Fastify', async (t) => {
  const flags = '`test` still runs Fastify itself: give Node the flags'
  for (const [runner, ...expected] of [
    ['vitest', 'Vitest: name `framework/fastify` and `framework/development`'],
    ['jest', "Jest: map `'^fastify$'` to `framework/5` in `moduleNameMapper`"],
    ['mocha', flags],
    ['node --test', flags],
  ] as const) {
    const shop = application(t, {
      scripts: { start: 'node app.js', test: runner },
      dependencies: on5,
      devDependencies: { [runner]: '*' },
    })
    const { notes } = await shop.plan(undefined, { line: 'framework' })
    assert.equal(notes.length, 1, String(notes))
    assert.ok(notes[0]?.startsWith(expected[0]), notes[0])
  }
})

test('scripts that change the folder keep their paths', async (t) => {
  const shop = application(
    t,
    {
      scripts: { start: 'cd src && node ../app.js', build: 'cd src && tsc', test: 'c8 tsx --test' },
      dependencies: { framework: VERSION },
    },
    { 'app.js': onFastify.replace('fastify', 'framework'), 'other.js': '' },
  )
  const { found } = await shop.prepare()
  assert.equal(found.entry, 'app.js')
  const { scripts } = shop.manifest()
  assert.equal(scripts['start'], 'cd src && node --import ../.framework/register.js ../app.js')
  assert.equal(scripts['build'], 'cd src && tsc && framework build ../app.js')
  assert.equal(scripts['test'], 'c8 tsx --import framework/development --test')
})

test('a start in a folder that is not known stays as it is, with a note', async (t) => {
  for (const start of [
    '(cd src && node ../app.js)',
    'pushd src && node ../app.js',
    'cd $HERE && node app.js',
  ]) {
    const shop = application(
      t,
      { main: 'app.js', scripts: { start }, dependencies: { framework: VERSION } },
      { 'app.js': onFastify.replace('fastify', 'framework') },
    )
    const { notes } = await shop.prepare()
    assert.equal(shop.manifest().scripts['start'], start)
    assert.match(String(notes), /`start`/)
  }
})

test('test runners that no package.json lists, or that of the workspace, are found', async (t) => {
  for (const [test, expected, root] of [
    ['npx mocha', ['mocha'], {}],
    ['c8 tap', ['tap'], {}],
    ['tsx --test', ['node:test'], {}],
    ['c8 --check node --test', ['node:test'], {}],
    ['true', ['vitest'], { devDependencies: { vitest: '3' } }],
  ] as const) {
    const shop = project(t, {
      'package.json': { workspaces: ['packages/*'], ...root },
      'packages/api/package.json': {
        scripts: { start: 'node app.js', test },
        dependencies: { framework: VERSION },
      },
      'packages/api/app.js': onFastify.replace('fastify', 'framework'),
      Dockerfile: 'RUN npm run build\nCMD ["node", "packages/api/app.js"]\n',
    })
    const { found, notes } = await shop.plan('packages/api/app.js')
    assert.deepEqual(found.testRunners, expected)
    assert.ok(
      notes.includes(
        '../../Dockerfile:2 starts the application as well, and is left as it is. It needs the folder .framework and the flag: `node --import ./packages/api/.framework/register.js packages/api/app.js`.',
      ),
      String(notes),
    )
  }
})

test('images that lack the artifact are noted', async (t) => {
  const docker = (...lines: string[]): string => ['FROM node', 'WORKDIR /app', ...lines].join('\n')
  const stage =
    ' Build it in a stage that has the compiler, as on the page "Docker" of the documentation.'
  const runsScript = (line: number): string =>
    `Dockerfile:${line} runs the script \`start\`, which needs the folder .framework.${stage}`
  for (const [text, note] of [
    [docker('RUN npm ci --omit=dev', 'COPY . .', 'CMD ["npm", "start"]'), runsScript(5)],
    [docker('ENTRYPOINT pnpm run start'), runsScript(3)],
    [
      docker('CMD node app.js'),
      `Dockerfile:3 starts the application as well, and is left as it is. It needs the folder .framework and the flag: \`node ${own} app.js\`.${stage}`,
    ],
    [
      docker('RUN apt-get install -y build-essential', 'COPY build ./build', 'CMD yarn start'),
      runsScript(5),
    ],
    [docker('RUN npm run build', 'CMD npm start'), undefined],
    [docker('RUN npm ci && \\', '    npm run build && npm prune', 'CMD npm start'), undefined],
    [docker('RUN ["npx", "framework", "build"]', 'CMD npm start'), undefined],
    [docker('COPY --from=build /app/.framework ./.framework', 'CMD npm start'), undefined],
    [docker('CMD npm run migrate'), undefined],
  ] as const) {
    const shop = application(t, { dependencies: { fastify: '4.21.0' } }, { Dockerfile: text })
    const { notes } = await shop.plan()
    assert.deepEqual(notes, note === undefined ? [] : [note])
  }
})
