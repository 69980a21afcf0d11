/** Returns an element that must exist. */
export function element(selector: string, within: ParentNode = document): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}

export function elements(selector: string, within: ParentNode = document): readonly HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)]
}
