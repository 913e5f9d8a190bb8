/** A value of a decoded query as it stands in an address. */
const valueText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value)
  if ("by" in value) return `${(value as { descending?: boolean }).descending === true ? "-" : ""}${String(value.by)}`
  if ("name" in value) {
    const { host, name } = value as { host: string | null; name: string }
    return host === null ? name : `${name}@${host}`
  }
  return String((value as { id?: unknown; uuid?: unknown }).id ?? (value as { uuid?: unknown }).uuid)
}

/**
 * The address of a feed with what it was asked for, in the order its parameters are read in: one for all spellings of the
 * same. Nothing of the request is in it but what was understood.
 */
export const feedAddress = (origin: string, path: string, query: Readonly<Record<string, unknown>>): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value]) {
      if (one !== undefined) parameters.append(name, valueText(one))
    }
  }
  const text = parameters.toString()
  return `${origin}${path}${text === "" ? "" : `?${text}`}`
}
