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
