import { useState } from "preact/hooks"

const placeOf = (key: string) => `kinora.draft.${key}`

const read = <A extends object>(key: string, initial: A): A => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(placeOf(key)) ?? "null")
    return typeof kept === "object" && kept !== null ? { ...initial, ...kept } : initial
  } catch {
    return initial
  }
}

/** What is typed into a form, kept over reloads and an expired session until it is saved: `clear` then forgets it, and shows the given value. */
export const useDraft = <A extends object>(key: string, initial: A) => {
  const [value, setValue] = useState(() => read(key, initial))
  const set = (changes: Partial<A>): void =>
    setValue((now) => {
      const next = { ...now, ...changes }
      try {
        sessionStorage.setItem(placeOf(key), JSON.stringify(next))
      } catch {
        // It lives as long as the page.
      }
      return next
    })
  const clear = (shown: A = initial): void => {
    try {
      sessionStorage.removeItem(placeOf(key))
    } catch {
      // Nothing was kept.
    }
    setValue(shown)
  }
  return { value, set, clear }
}
