/** Formats findings for code hosts, which show them beside the code. */
import { VERSION } from '../../runtime/artifact/version.ts'

export interface Annotation {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly message: string
  /** Relative to the repository, with forward slashes. */
  readonly file: string
  readonly line: number
  readonly column: number
}

export const annotationFormats: readonly string[] = ['github', 'sarif']

/** @param format one of `annotationFormats` */
export function annotationText(
  format: string,
  annotations: readonly Annotation[],
  rules: Readonly<Record<string, string>>,
): string {
  return format === 'github'
    ? annotations.map(githubLine).join('\n')
    : JSON.stringify(toSarif(annotations, rules), null, 2)
}

/** A workflow command of GitHub Actions. */
function githubLine({ level, rule, message, file, line, column }: Annotation): string {
  const kind = level === 'note' ? 'notice' : level
  const place = `file=${escapeProperty(file)},line=${line},col=${column},title=${escapeProperty(rule)}`
  return `::${kind} ${place}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** SARIF 2.1.0. */
function toSarif(
  annotations: readonly Annotation[],
  rules: Readonly<Record<string, string>>,
): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'framework',
            version: VERSION,
            rules: Object.entries(rules).map(([id, text]) => ({
              id,
              shortDescription: { text },
            })),
          },
        },
        results: annotations.map(({ rule, level, message, file, line, column }) => ({
          ruleId: rule,
          level,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: {
                  uri: file.split('/').map(encodeURIComponent).join('/'),
                  uriBaseId: '%SRCROOT%',
                },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  }
}

/** Parses `file:line:column`. */
export function placeOf(at: string): Pick<Annotation, 'file' | 'line' | 'column'> {
  const [, file = at, line = '1', column = '1'] = /^(.*):(\d+):(\d+)$/.exec(at) ?? []
  return { file, line: Math.max(1, Number(line)), column: Math.max(1, Number(column)) }
}
