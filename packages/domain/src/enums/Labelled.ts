/** A constant as clients read it. An absent one has a null id and the label "Unknown". */
export interface Labelled<Id> {
  readonly id: Id
  readonly label: string
}

const unknownLabel = "Unknown"

/** `{ id, label }` of a constant; "Unknown" when it has no label. */
export const labelled = <Id extends string | number | null>(
  id: Id,
  labels: Readonly<Record<string | number, string>>
): Labelled<Id> => ({ id, label: id === null ? unknownLabel : (labels[id] ?? unknownLabel) })
