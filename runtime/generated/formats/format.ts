/** A format whose values have an order, which `formatMinimum` and its kin compare. */
export interface OrderedFormat {
  readonly validate: RegExp | ((text: string) => boolean)
  /** Below 0, 0 or above 0; `undefined` when one of them is not of the format. */
  readonly compare: (a: string, b: string) => number | undefined
}

export interface NumberFormat {
  readonly type: 'number'
  readonly validate: (value: number) => boolean
}
