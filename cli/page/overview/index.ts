/** The page of `framework report`: contexts, shared schemas, validators and serializers, and what only the running application knows. */
import type { Overview } from '../../inspect/overview.ts'
import { documentOf } from '../document.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { kilobytes } from '../../../compiler/util/quantities.ts'
import { contextsSection } from './contexts.ts'
import { functionsSection } from './functions.ts'
import { dynamicSection, warningsSection } from './problems.ts'
import { partStatus } from './pieces.ts'
import { schemasSection } from './schemas.ts'

/** @param name the application's name */
export function overviewPage(name: string, overview: Overview): string {
  // Sections without content are left out, and so are the links to them.
  const sections: readonly Section[] = [
    { id: 'contexts', title: 'Contexts', content: contextsSection(overview) },
    { id: 'schemas', title: 'Shared schemas', content: schemasSection(overview) },
    {
      id: 'functions',
      title: 'Validators and serializers',
      content: functionsSection(overview),
    },
    { id: 'dynamic', title: 'Dynamic', content: dynamicSection(overview) },
    { id: 'warnings', title: 'Warnings', content: warningsSection(overview) },
  ].filter(({ content }) => content !== undefined)
  return documentOf({
    title: `${name}: contexts, schemas, validators and serializers`,
    kind: 'overview',
    head: html`<h1>${name}</h1>
      <p class="about">
        <code>${overview.entry}</code>, compiled for ${servers[overview.line]} by framework
        ${overview.version}
      </p>
      ${figures(overview, new Set(sections.map(({ id }) => id)))} ${coverage(overview)}`,
    main: html`${navigation(sections)} ${sections.map(sectionOf)}`,
  })
}

interface Section {
  readonly id: string
  readonly title: string
  readonly content: Html | undefined
}

function sectionOf({ id, title, content }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`
}

const servers: Readonly<Record<Overview['line'], string>> = {
  framework: 'the runtime of framework',
  'fastify@4': 'Fastify 4',
  'fastify@5': 'Fastify 5 or framework/5',
}

function figures(
  { contexts, schemas, functions, coverage, dynamic, warnings }: Overview,
  sections: ReadonlySet<string>,
): Html {
  const routes = contexts.reduce((sum, one) => sum + one.routes.length, 0)
  const bytes = functions.reduce((sum, one) => sum + one.bytes, 0)
  const dynamicCount = coverage.dynamic + dynamic.length
  const rows: readonly (readonly [figure: string | number, name: string, target: string])[] = [
    [routes, routes === 1 ? 'route' : 'routes', 'contexts'],
    [contexts.length, contexts.length === 1 ? 'context' : 'contexts', 'contexts'],
    [schemas.length, schemas.length === 1 ? 'shared schema' : 'shared schemas', 'schemas'],
    [functions.length, 'validators and serializers', 'functions'],
    [kilobytes(bytes), 'of code', 'functions'],
    [dynamicCount, 'dynamic', 'dynamic'],
    [warnings.length, warnings.length === 1 ? 'warning' : 'warnings', 'warnings'],
  ]
  return html`<ul class="figures">
    ${rows.map(
      ([figure, name, target]) =>
        html`<li>
          ${
            sections.has(target)
              ? html`<a href="#${target}"><b>${figure}</b> ${name}</a>`
              : html`<b>${figure}</b> ${name}`
          }
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
    <p>${all === 1 ? '1 part of a route has' : `${all} parts of routes have`} a schema:</p>
    <ul>
      ${counts.map(
        ([standing, count]) =>
          html`<li data-standing="${standing}">${count} ${partStatus[standing]}</li>`,
      )}
    </ul>
  </div>`
}

function navigation(sections: readonly Section[]): Html {
  return html`<nav>
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
    ${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}
  </nav>`
}
