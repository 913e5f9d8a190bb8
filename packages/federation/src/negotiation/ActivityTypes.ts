/** The profile of JSON-LD that says it is ActivityStreams. */
const profile = "https://www.w3.org/ns/activitystreams"

/** Names of parameters are in lower case; quotes around values are left out. */
const parametersOf = (parts: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(
    parts.map((part) => {
      const [name = "", ...value] = part.split("=")
      return [
        name.trim().toLowerCase(),
        value
          .join("=")
          .trim()
          .replace(/^"(.*)"$/, "$1")
      ] as const
    })
  )

/**
 * Whether a media type means an ActivityPub object (ActivityPub, 3.2). JSON-LD without a profile is one, as many servers write
 * it so; of several profiles one must be that of ActivityStreams, and with another alone it is none. What is read, sent to us
 * or asked for goes by this rule.
 */
export const isActivityType = (mediaType: string | null | undefined): boolean => {
  const [essence = "", ...parts] = (mediaType ?? "").split(";")
  const type = essence.trim().toLowerCase()
  if (type === "application/activity+json") return true
  if (type !== "application/ld+json") return false
  const given = parametersOf(parts).get("profile")
  return given === undefined || given.split(/\s+/).includes(profile)
}
