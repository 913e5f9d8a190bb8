/** Nobody who browses reaches pages this deep. The API has no such limit. */
const deepest = 100_000

type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Longer texts are cut: nobody types them. */
const longestSearch = 200

/** The search text without surrounding spaces; "" if there is none. */
export const searchOf = (query: Query): string => {
  const text = query["search"]
  return typeof text === "string" ? text.slice(0, longestSearch).toWellFormed().trim() : ""
}

/** The validated `start` of a list page: a whole number, else 0. */
export const startOf = (query: Query): number => {
  const text = query["start"]
  return typeof text === "string" && /^\d{1,6}$/.test(text) ? Math.min(deepest, Number(text)) : 0
}
