/** A value of every type, and those that are easily taken for another. */
export const scalars: readonly unknown[] = [
  '',
  'x',
  '1',
  '1.5',
  'true',
  'null',
  0,
  1,
  -1.5,
  true,
  false,
  null,
  [],
  [1],
  ['a'],
  {},
]
