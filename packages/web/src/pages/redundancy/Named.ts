/** How a person names a video: by its address elsewhere, which has to be looked up, or by its id here. */
export interface Named {
  readonly kind: "address" | "id"
  readonly value: string
}

/** Reads an address or an id; an address of this instance's own pages ends with the id. Undefined: nothing was typed. */
export const named = (typed: string, origin: string): Named | undefined => {
  const text = typed.trim()
  if (text === "") return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: "id", value: text }
  const last = url.pathname.split("/").findLast((it) => it !== "")
  return url.origin === origin && last !== undefined ? { kind: "id", value: last } : { kind: "address", value: text }
}
