/** A number of neighbours to be put behind a place; 0 is before the first. Places are counted from 1. */
export interface Reorder {
  readonly startPosition: number
  readonly insertAfterPosition: number
  readonly reorderLength: number
}

/** What moves: places from `from` to `to` go by `by`, all others from `first` to `last` by `othersBy`. */
export interface Shift {
  readonly first: number
  readonly last: number
  readonly from: number
  readonly to: number
  readonly by: number
  readonly othersBy: number
}

/** Why places cannot be changed like this among so many, by the field that is wrong. */
export const misplaced = (
  { insertAfterPosition, reorderLength, startPosition }: Reorder,
  length: number
): { readonly field: "startPosition" | "insertAfterPosition" | "reorderLength"; readonly most: number } | undefined => {
  if (startPosition > length) return { field: "startPosition", most: length }
  if (insertAfterPosition > length) return { field: "insertAfterPosition", most: length }
  const most = length - startPosition + 1
  return reorderLength > most ? { field: "reorderLength", most } : undefined
}

/** What a change of order comes to; undefined when everything stays, such as behind a place that moves itself. */
export const shiftOf = ({ insertAfterPosition, reorderLength, startPosition }: Reorder): Shift | undefined => {
  const from = startPosition
  const to = startPosition + reorderLength - 1
  if (insertAfterPosition >= from - 1 && insertAfterPosition <= to) return undefined
  return insertAfterPosition > to
    ? { first: from, last: insertAfterPosition, from, to, by: insertAfterPosition - to, othersBy: -reorderLength }
    : {
        first: insertAfterPosition + 1,
        last: to,
        from,
        to,
        by: insertAfterPosition + 1 - from,
        othersBy: reorderLength
      }
}
