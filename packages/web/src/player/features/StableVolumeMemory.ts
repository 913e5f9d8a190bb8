import { browserShelf } from "../Memory.ts"

const key = "kinora.stable-volume"

export const recallStableVolume = (): boolean => {
  try {
    return browserShelf()?.getItem(key) === "1"
  } catch {
    return false
  }
}

export const rememberStableVolume = (on: boolean): void => {
  try {
    browserShelf()?.setItem(key, on ? "1" : "0")
  } catch {
    // A full or forbidden store only means that nothing is remembered.
  }
}
