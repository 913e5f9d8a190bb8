/** Pages this deep are reached by nobody who browses; the API has no such end. */
const deepest = 100_000

type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Longer texts are cut: nobody types them. */
const longestSearch = 200

/** What is searched for, without the blanks around it; "" when nothing is. */
export const searchOf = (query: Query): string => {
  const text = query["search"]
  return typeof text === "string" ? text.slice(0, longestSearch).toWellFormed().trim() : ""
}

/** The allow-listed `start` of a list page: a whole number, else 0. */
export const startOf = (query: Query): number => {
  const text = query["start"]
  return typeof text === "string" && /^\d{1,6}$/.test(text) ? Math.min(deepest, Number(text)) : 0
}
