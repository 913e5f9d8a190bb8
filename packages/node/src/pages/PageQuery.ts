/** Pages this deep are reached by nobody who browses; the API has no such end. */
const deepest = 100_000

/** The allow-listed `start` of a list page: a whole number, else 0. */
export const startOf = (query: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): number => {
  const text = query["start"]
  return typeof text === "string" && /^\d{1,6}$/.test(text) ? Math.min(deepest, Number(text)) : 0
}
