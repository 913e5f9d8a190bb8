/** Where this browser keeps who is logged in. Scripts of other origins cannot read it, and pages run no others. */
export const place = "kinora.session"

export interface Session {
  readonly access: string
  readonly refresh: string
}

const isSession = (kept: unknown): kept is Session =>
  typeof kept === "object" &&
  kept !== null &&
  "access" in kept &&
  typeof kept.access === "string" &&
  "refresh" in kept &&
  typeof kept.refresh === "string"

/** The session of this browser. One that may keep nothing, or keeps something else, has none. */
export const read = (): Session | undefined => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? "null")
    return isSession(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export const isLoggedIn = (): boolean => read() !== undefined

/** Where the browser may keep nothing, nobody stays logged in. */
export const keep = (session: Session): void => {
  try {
    localStorage.setItem(place, JSON.stringify(session))
  } catch {
    // `isLoggedIn` shows it.
  }
}

export const forget = (): void => {
  if (isLoggedIn()) localStorage.removeItem(place)
}
