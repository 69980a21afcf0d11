export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(1)} ms`
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
