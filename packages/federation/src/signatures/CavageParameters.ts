/** What a `Signature` header of draft-cavage-12 says. Everything may be missing. */
export interface CavageParameters {
  readonly keyId: string | undefined
  readonly algorithm: string | undefined
  readonly headers: string | undefined
  readonly signature: string | undefined
  /** Seconds since 1970. */
  readonly created: number | undefined
  /** Seconds since 1970. */
  readonly expires: number | undefined
}

const parameter = /[ \t]*([A-Za-z][\w-]*)=(?:"([^"\\\p{Cc}]*)"|([1-9]\d{0,14}))[ \t]*(,|$)/uy

/**
 * Reads the header strictly: a list of parameters, each once, with a quoted text without escapes or a whole number. The draft
 * leaves most of that to RFC 7235; whatever two readers could understand differently is refused. Undefined when it is malformed.
 */
export const readCavageParameters = (header: string): CavageParameters | undefined => {
  const found = new Map<string, string | number>()
  parameter.lastIndex = 0
  for (let end = ","; end === ",";) {
    const match = parameter.exec(header)
    const name = match?.[1]
    if (match === null || name === undefined || found.has(name)) return undefined
    found.set(name, match[2] ?? Number(match[3]))
    end = match[4] ?? ""
  }
  const text = (name: string) => {
    const value = found.get(name)
    return typeof value === "string" ? value : undefined
  }
  const time = (name: string) => {
    const value = found.get(name)
    return typeof value === "number" ? value : undefined
  }
  for (const name of ["created", "expires"]) if (typeof found.get(name) === "string") return undefined
  return {
    keyId: text("keyId"),
    algorithm: text("algorithm"),
    headers: text("headers"),
    signature: text("signature"),
    created: time("created"),
    expires: time("expires")
  }
}
