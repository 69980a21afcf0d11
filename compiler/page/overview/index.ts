/**
 * The page of `framework report`: contexts, shared schemas, validators and serializers, and what only the
 * running application knows.
 */
import type { Overview } from '../../inspect/overview.ts'
import { documentOf } from '../document.ts'
import type { Html } from '../html.ts'
import { dataBlock, html } from '../html.ts'
import { kilobytes } from '../units.ts'
import { contextsSection, treeData } from './contexts.ts'
import { functionsSection } from './functions.ts'
import { problemsSections } from './problems.ts'
import { partStatus } from './pieces.ts'
import { schemasSection } from './schemas.ts'

/** @param name the application's name */
export function overviewPage(name: string, overview: Overview): string {
  return documentOf({
    title: `${name}: contexts, schemas, validators and serializers`,
    kind: 'overview',
    head: html`<h1>${name}</h1>
      <p class="about">
        <code>${overview.entry}</code>, compiled for ${servers[overview.line]} by framework
        ${overview.version}
      </p>
      ${figures(overview)} ${coverage(overview)}`,
    main: html`${search} ${contextsSection(overview)} ${schemasSection(overview)}
    ${functionsSection(overview)} ${problemsSections(overview)}
    ${dataBlock('tree-data', treeData(overview))}`,
  })
}

const servers: Readonly<Record<Overview['line'], string>> = {
  framework: 'the runtime of framework',
  'fastify@4': 'Fastify 4',
  'fastify@5': 'Fastify 5',
}

function figures({ contexts, schemas, functions, coverage, dynamic, warnings }: Overview): Html {
  const routes = contexts.reduce((sum, one) => sum + one.routes.length, 0)
  const bytes = functions.reduce((sum, one) => sum + one.bytes, 0)
  const left = coverage.dynamic + dynamic.length
  const rows: readonly (readonly [figure: string | number, name: string, target: string])[] = [
    [routes, routes === 1 ? 'route' : 'routes', 'contexts'],
    [contexts.length, contexts.length === 1 ? 'context' : 'contexts', 'contexts'],
    [schemas.length, schemas.length === 1 ? 'shared schema' : 'shared schemas', 'schemas'],
    [functions.length, 'validators and serializers', 'functions'],
    [kilobytes(bytes), 'of code', 'functions'],
    [left, 'dynamic', 'dynamic'],
    [warnings.length, warnings.length === 1 ? 'warning' : 'warnings', 'warnings'],
  ]
  return html`<ul class="figures">
    ${rows.map(
      ([figure, name, target]) =>
        html`<li>
          <a href="#${target}"><b>${figure}</b> ${name}</a>
        </li>`,
    )}
  </ul>`
}

function coverage({ coverage }: Overview): Html | undefined {
  const counts = Object.entries(coverage).filter(([, count]) => count > 0)
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  if (all === 0) return undefined
  return html`<div class="coverage">
    <div class="bar">
      ${counts.map(
        ([standing, count]) =>
          html`<span data-standing="${standing}" style="flex-grow:${count}"></span>`,
      )}
    </div>
    <p>${all} parts of routes have a schema:</p>
    <ul>
      ${counts.map(
        ([standing, count]) =>
          html`<li data-standing="${standing}">${count} ${partStatus[standing]}</li>`,
      )}
    </ul>
  </div>`
}

const search = html`<nav>
  <form role="search">
    <input
      type="search"
      id="search"
      placeholder="Search routes, contexts, schemas, hooks, files"
      aria-label="Search"
      autocomplete="off"
      spellcheck="false"
      disabled
    />
    <output for="search" aria-live="polite"></output>
  </form>
  <a href="#contexts">Contexts</a> <a href="#schemas">Schemas</a>
  <a href="#functions">Validators and serializers</a> <a href="#dynamic">Dynamic</a>
  <a href="#warnings">Warnings</a>
</nav>`
