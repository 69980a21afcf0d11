/** Returns whether a function of Node was not replaced, by code that observes responses for example. */
export function isUnpatched(method: unknown, expectedSource: string): boolean {
  return (
    typeof method === 'function' &&
    Function.prototype.toString.call(method).includes(expectedSource)
  )
}
