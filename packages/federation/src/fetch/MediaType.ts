export interface MediaType {
  /** Type and subtype in lower case; empty when the header is missing or broken. */
  readonly essence: string
  /** The `charset` parameter in lower case. */
  readonly charset?: string
}

const token = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

/** Reads a `Content-Type` header (RFC 9110, 8.3.1). */
export const parseMediaType = (header: string | undefined): MediaType => {
  const [type = "", ...parameters] = (header ?? "").slice(0, 1_000).split(";")
  const essence = type.trim().toLowerCase()
  if (!token.test(essence)) return { essence: "" }
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=", 2)
    if (name.trim().toLowerCase() !== "charset") continue
    const charset = value.trim().replaceAll('"', "").toLowerCase()
    if (charset !== "") return { essence, charset }
  }
  return { essence }
}

/** Whether a type is on a list of types and families (`image/*`). */
export const isAmong = (essence: string, types: ReadonlyArray<string>): boolean =>
  types.some((it) => (it.endsWith("/*") ? essence.startsWith(it.slice(0, -1)) : it === essence))
