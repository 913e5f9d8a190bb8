import { iconButton } from "../Dom.ts"
import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"

/** A button that plays on another device, by the platform's Remote Playback API: there while a device is. */
export const offerRemotePlayback = ({ controls, overlay, video }: Player): void => {
  if (!("remote" in video)) return
  const { remote } = video
  const button = iconButton("cast", t("playOnDevice"), "kp-remote")
  button.hidden = true
  controls.addButton(button)
  button.addEventListener("click", () => {
    remote.prompt().catch((error: unknown) => {
      // Closing the browser's list of devices is no failure.
      if (error instanceof DOMException && error.name !== "NotAllowedError") overlay.say(t("noDevice"))
    })
  })
  const watch = () =>
    remote
      .watchAvailability((available) => {
        button.hidden = !available
      })
      // Browsers that do not watch by themselves look for devices when asked.
      .catch((error: unknown) => {
        button.hidden =
          !(error instanceof DOMException && error.name === "NotSupportedError") || video.src.startsWith("blob:")
      })
  for (const [name, on] of [
    ["connect", true],
    ["disconnect", false]
  ] as const) {
    remote.addEventListener(name, () => button.setAttribute("aria-pressed", String(on)))
  }
  void watch()
}
