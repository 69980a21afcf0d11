/** Small programs that a scan has once read wrong; `F1` and `F2` are conditions that it does not know. */
export const trickyPrograms: readonly { readonly setUp: string; readonly result: string }[] = [
  {
    setUp: 'const copy = JSON.parse(JSON.stringify({ v: F1 }))',
    result: '[...new Set([typeof copy, "object", "type"])][1]',
  },
  {
    setUp: 'const set = new Set([F1 ? 1 : 2, 1, 2])',
    result: '{ list: [...set], size: set.size }',
  },
  {
    setUp: 'const map = new Map([[F1 ? "a" : "b", 1]]); map.set("a", 2)',
    result: '{ a: map.get("a"), b: map.has("b"), size: map.size }',
  },
  { setUp: 'const set = new Set([NaN, NaN, 0, -0])', result: '[...set].length' },
  { setUp: 'const set = new Set([1]); set.clear(); set.add(3)', result: '[...set]' },
]
