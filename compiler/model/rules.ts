/** The public types of rules: `framework.rules.js` exports what `defineRules` returns. */

/** A hook of a route. Its names are those that `hasHook` takes. */
export interface RuleHook {
  /** `onRequest`, `preHandler`, … */
  readonly kind: string
  /** The name of the function, or `''`. */
  readonly name: string
  /** File and exported name: `src/auth.js#authenticate`. For a function that another one returns: `src/auth.js#requireRole()`. */
  readonly function: string | undefined
  /** The decorator that it is: `app.authenticate`. */
  readonly decorator: string | undefined
  /** The package that adds it. */
  readonly package: string | undefined
  /** The context that adds it, such as `root > admin`, or `route`. */
  readonly from: string
  /** `file:line:column`. */
  readonly at: string
}

/** A JSON Schema. References are followed when a member is read. */
export interface RuleSchema {
  readonly [keyword: string]: unknown
}

/** A route as the build knows it. Reading an unknown part breaks the rule. */
export interface RuleRoute {
  /** Each method of a declaration is a route of its own, and so are automatic HEAD routes. */
  readonly method: string
  /** With the prefix. */
  readonly url: string
  readonly constraints: Readonly<Record<string, string>>
  readonly prefix: string
  /** The path of its context: `root > admin`. */
  readonly context: string
  /** Its context and the enclosing ones, the root first. */
  readonly contexts: readonly {
    readonly context: string
    readonly prefix: string
    readonly at: string
  }[]
  /** `file:line:column`. */
  readonly at: string
  /** True for a HEAD route that belongs to a GET route. */
  readonly isTwin: boolean
  /** Other route options, such as `config` and `bodyLimit`. */
  readonly options: Readonly<Record<string, unknown>>
  /** The most bytes of a body: the option of the route, or that of its instance. */
  readonly bodyLimit: number
  /** The members of `schema` that describe the route: `tags`, `summary`. */
  readonly about: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  readonly body: RuleSchema | undefined
  readonly querystring: RuleSchema | undefined
  readonly params: RuleSchema | undefined
  readonly headers: RuleSchema | undefined
  /** The schema for a status, or for the first of a range such as `2xx`. A `default` schema counts for each. */
  response(status: string | number): RuleSchema | undefined
  /** The hooks of a kind in the order in which they run. */
  hooks(kind: string): readonly RuleHook[]
  /** @param name a function (`src/auth.js#authenticate`), a decorator (`app.authenticate`), or a package */
  hasHook(kind: string, name: string): boolean
  /** Source of the validators of its requests: `compiled` by the build, or the application's `own` compiler. */
  readonly validator: 'compiled' | 'own' | 'none'
  /** Source of the serializers of its responses. */
  readonly serializer: 'compiled' | 'own' | 'none'
}

/** Returns whether a route keeps the rule. A text says why it doesn't. */
export type Rule = (route: RuleRoute) => boolean | string

/** The ready-made rules. `true` applies one to all routes. */
export interface ReadyMadeRules {
  /** Each route has a schema for a 2xx response. */
  readonly 'response-schemas'?: true
  /** Objects in bodies have `additionalProperties: false`. */
  readonly 'closed-bodies'?: true
  /** No `pattern` for input may take exponential time, by the heuristic that the router uses. */
  readonly 'no-unsafe-regex'?: true
  /** Bodies have at most so many bytes. */
  readonly 'max-body'?: number
  /** Each route has a summary or a description. */
  readonly documented?: true
  /** Nothing is left out of the build. */
  readonly 'no-dynamic'?: true
  /** Routes below a URL, such as `/admin/*`, have this hook: `'hook:onRequest:src/auth.js#authenticate': '/admin/*'`. */
  readonly [hook: `hook:${string}:${string}`]: string | true
}

/** Rules by name: your own are functions. */
export type Rules = ReadyMadeRules | Readonly<Record<string, Rule | true | number | string>>

export interface RuleSettings {
  /** Routes that may break a rule, such as `GET /health`, with the reason, by rule. */
  readonly exceptions?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Default export of a rules file. */
export interface RuleSet extends RuleSettings {
  readonly rules: Readonly<Record<string, Rule | true | number | string>>
}

/** Defines the rules that `framework check` checks. */
export function defineRules(rules: Rules, settings: RuleSettings = {}): RuleSet {
  return { ...settings, rules: rules as RuleSet['rules'] }
}
