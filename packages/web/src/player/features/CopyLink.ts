import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import { formatClock } from "../Time.ts"

/** The page of the video at a moment, as an address. */
const linkAt = (origin: string, video: string, seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${origin}/w/${encodeURIComponent(video)}${whole > 0 ? `?start=${whole}s` : ""}`
}

/** Copies the address of the video at this moment. */
export const copyLink = async ({ overlay, root, video }: Player): Promise<void> => {
  const address = linkAt(root.dataset["origin"] ?? location.origin, root.dataset["video"] ?? "", video.currentTime)
  try {
    await navigator.clipboard.writeText(address)
    overlay.say(t("linkCopied", { clock: formatClock(video.currentTime) }))
  } catch {
    // Frames may not write to the clipboard: the address is shown, to be copied by hand.
    overlay.say(address)
  }
}
