import { constraints } from "@kinora/domain/enums/Constraints"

const longest = constraints.listSubscription.name.max

/** Control characters, and those that turn the direction of what follows. */
const unfit = /[\p{Cc}\p{Cf}]/gu

/** The name that a list of others gives itself, as it can be shown; undefined: none. */
export const listName = (given: unknown): string | undefined => {
  if (typeof given !== "string") return undefined
  const name = given.toWellFormed().replace(unfit, " ").replace(/\s+/g, " ").trim().slice(0, longest).toWellFormed()
  return name === "" ? undefined : name
}
