/** Values of a thing by name, as plain JSON. Undefined: the thing is not there. */
export type AuditedValues = Readonly<Record<string, unknown>> | undefined

type Values = Readonly<Record<string, unknown>>

const pick = (values: Values, names: ReadonlyArray<string>): Values =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]))

/** What an act changed: the members that differ; all of a thing that was made or removed. Undefined: nothing. */
export const difference = (
  before: AuditedValues,
  after: AuditedValues
): { readonly before?: Values; readonly after?: Values } | undefined => {
  if (before === undefined) return after === undefined ? undefined : { after }
  if (after === undefined) return { before }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return changed.length === 0 ? undefined : { before: pick(before, changed), after: pick(after, changed) }
}
