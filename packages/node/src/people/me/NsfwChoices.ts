import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { nsfwFlagFields, type UpdateMe } from "@kinora/domain/requests/UpdateMe"

type FlagSets = Partial<Record<(typeof nsfwFlagFields)[number], number>>

/**
 * The refusal of a request that has one flag in several of the four sets: videos with that flag cannot be hidden and
 * displayed at the same time. Names every set concerned.
 */
export const flagConflicts = (given: UpdateMe): InvalidParameters | undefined => {
  const others = (name: (typeof nsfwFlagFields)[number]) =>
    nsfwFlagFields.reduce((sum, other) => (other === name ? sum : sum | (given[other] ?? 0)), 0)
  const concerned = nsfwFlagFields.filter((name) => ((given[name] ?? 0) & others(name)) !== 0)
  if (concerned.length === 0) return undefined
  const refusals = concerned.map((name) =>
    InvalidParameters.one(name, "Must not share a flag with another set", "body", given[name])
  )
  return new InvalidParameters({ invalidParams: Object.assign({}, ...refusals.map((it) => it.invalidParams)) })
}

/** The sets that a request leaves out, without the flags that the request puts into another set: a flag moves. */
export const withoutMovedFlags = (kept: Readonly<Record<string, unknown>>, given: UpdateMe): FlagSets => {
  const moved = nsfwFlagFields.reduce((sum, name) => sum | (given[name] ?? 0), 0)
  const left: FlagSets = {}
  for (const name of nsfwFlagFields) {
    const flags = kept[name]
    if (typeof flags === "number" && (flags & moved) !== 0) left[name] = flags & ~moved
  }
  return left
}
