import { keysAreOn } from "../keys/KeysChoice.ts"
import { places } from "../keys/Places.ts"

/** How long the second key may take, in milliseconds. */
const second = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]") !== null)

const search = (): boolean => {
  const box = document.querySelector<HTMLInputElement>("header input[type=search]")
  box?.select()
  box?.focus()
  return box !== null
}

/** Opens the sheet of keys. The player has one of its own, which says more. */
const help = (): boolean => {
  if (document.querySelector(".kp") !== null) return false
  void import("../dialogs/KeysSheet.ts").then(
    (it) => it.openKeysSheet(),
    () => {}
  )
  return true
}

/** The keys of every page: `/` searches, `?` shows all of them, `g` and a letter go somewhere. */
export const listenToPageKeys = (): void => {
  let goesSince = -Infinity
  const isPlace = (key: string): key is keyof typeof places => Object.hasOwn(places, key)
  const act = (key: string, at: number): boolean => {
    if (at - goesSince < second && isPlace(key)) {
      location.assign(places[key])
      return true
    }
    goesSince = key === "g" ? at : -Infinity
    if (key === "/") return search()
    return key === "?" ? help() : false
  }
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.repeat) return
      // The way back to the keys is on the sheet.
      if (isTyping(event.target) || (!keysAreOn() && event.key !== "?")) return
      if (!act(event.key, event.timeStamp)) return
      event.preventDefault()
      // A player must not take the second key of two for its own.
      event.stopImmediatePropagation()
    },
    true
  )
}
