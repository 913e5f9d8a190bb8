import { keysAreOn } from "../keys/KeysChoice.ts"

export type Action =
  | { readonly do: "toggle" | "mute" | "fullscreen" | "captions" | "pip" }
  | { readonly do: "skip"; readonly seconds: number }
  | { readonly do: "frame"; readonly frames: number }
  | { readonly do: "volume"; readonly by: number }
  | { readonly do: "speed"; readonly by: number }
  | { readonly do: "share"; readonly of: number }

/** What a key means; `focused` keys (up, down, home, end) act only while the player has the focus, else they scroll. */
export const actionOf = (key: string, focused: boolean): Action | undefined => {
  if (/^\d$/.test(key)) return { do: "share", of: Number(key) / 10 }
  switch (key) {
    case " ":
    case "k":
    case "K":
      return { do: "toggle" }
    case "ArrowLeft":
      return { do: "skip", seconds: -5 }
    case "ArrowRight":
      return { do: "skip", seconds: 5 }
    case "j":
    case "J":
      return { do: "skip", seconds: -10 }
    case "l":
    case "L":
      return { do: "skip", seconds: 10 }
    case "m":
    case "M":
      return { do: "mute" }
    case "f":
    case "F":
      return { do: "fullscreen" }
    case "c":
    case "C":
      return { do: "captions" }
    case "i":
    case "I":
      return { do: "pip" }
    case "<":
      return { do: "speed", by: -1 }
    case ">":
      return { do: "speed", by: 1 }
    case ",":
      return { do: "frame", frames: -1 }
    case ".":
      return { do: "frame", frames: 1 }
  }
  if (!focused) return undefined
  switch (key) {
    case "ArrowUp":
      return { do: "volume", by: 0.05 }
    case "ArrowDown":
      return { do: "volume", by: -0.05 }
    case "Home":
      return { do: "share", of: 0 }
    case "End":
      return { do: "share", of: 1 }
  }
  return undefined
}

/** Elements that use the key themselves. */
const keepsKey = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]") !== null) return true
  return key === " " && target.closest("button, a, summary") !== null
}

/** Listens on the whole page: the player is what a watch page is for. `command` runs what else a key stands for. */
export const listenToKeys = (
  root: HTMLElement,
  act: (action: Action) => void,
  command: (key: string) => boolean
): void => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
    if (keepsKey(event.target, event.key)) return
    const focused = root.contains(document.activeElement) || document.fullscreenElement === root
    // The sheet of keys has the switch.
    if (!focused && !keysAreOn() && event.key !== "?") return
    const action = actionOf(event.key, focused)
    if (action === undefined && !command(event.key)) return
    event.preventDefault()
    if (action !== undefined) act(action)
  })
}
