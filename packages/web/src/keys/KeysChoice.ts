const kept = "kinora.keys"

/**
 * Whether keys of one letter work on whole pages. Who speaks to the computer, or presses keys by accident, can switch
 * them off (WCAG 2.2, 2.1.4).
 */
export const keysAreOn = (): boolean => {
  try {
    return localStorage.getItem(kept) !== "off"
  } catch {
    return true
  }
}

export const switchKeys = (on: boolean): void => {
  try {
    if (on) localStorage.removeItem(kept)
    else localStorage.setItem(kept, "off")
  } catch {
    // A browser that keeps nothing leaves them on.
  }
}
