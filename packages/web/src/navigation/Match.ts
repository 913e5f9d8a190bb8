/** Values of the `:name` parts of a pattern in a path; undefined when it does not match. */
export const match = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const wanted = pattern.split("/")
  const given = path.split("/")
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? ""
    if (part.startsWith(":")) {
      if (value === "") return undefined
      try {
        params[part.slice(1)] = decodeURIComponent(value)
      } catch {
        return undefined
      }
    } else if (part !== value) return undefined
  }
  return params
}
