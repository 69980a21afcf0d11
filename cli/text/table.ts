/** Rows and lists as text. */

/** Formats rows with aligned columns. */
export function table(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) => {
    const last = row.length - 1
    return (
      indent + row.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i] ?? 0))).join('  ')
    )
  })
}

/** Lists up to `most` names, then "and 3 more (`--json` lists them)". */
export function listed(names: readonly string[], most: number, separator = ', '): string {
  const others = names.length - most
  // Names one more instead of "and 1 more", which is as long.
  if (others <= 1) return names.join(separator)
  return `${names.slice(0, most).join(separator)} and ${others} more (\`--json\` lists them)`
}
