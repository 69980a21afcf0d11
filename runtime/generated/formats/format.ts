/** A format with an order, for `formatMinimum` and similar keywords. */
export interface OrderedFormat {
  readonly validate: RegExp | ((text: string) => boolean)
  /** Returns a negative number, 0 or a positive number, and `undefined` if a value is invalid. */
  readonly compare: (a: string, b: string) => number | undefined
}

export interface NumberFormat {
  readonly type: 'number'
  readonly validate: (value: number) => boolean
}
