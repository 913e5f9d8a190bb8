import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import type { Neighbours } from "./MediaSession.ts"
import { recallStableVolume } from "./StableVolumeMemory.ts"

/** Loads a part that is seldom needed. One that does not arrive says so, and is asked for again the next time. */
const load = <A>(player: Player, part: Promise<A>, run: (part: A) => void): void => {
  part.then(run, () => player.overlay.say(t("partMissing")))
}

/** What is not needed for the first picture: each part is a file of its own, fetched when somebody asks for it. */
export const addFeatures = (player: Player, queue?: Neighbours): void => {
  const { commands, root, video } = player
  // Positions in a live are gone soon.
  const isVideo = () => root.dataset["live"] === undefined
  commands.add(
    {
      name: "loop",
      isOffered: isVideo,
      label: t("loop"),
      key: "r",
      isOn: () => video.loop,
      run: () => {
        video.loop = !video.loop
        player.overlay.flash("replay", video.loop ? t("on") : t("off"))
      }
    },
    {
      name: "section",
      isOffered: isVideo,
      label: t("section"),
      key: "b",
      isOn: () => root.dataset["section"] !== undefined,
      run: () => load(player, import("./Section.ts"), (it) => it.markSection(player))
    },
    {
      name: "stable",
      label: t("stableVolume"),
      key: "v",
      isOn: () => root.dataset["stable"] !== undefined,
      run: () => load(player, import("./StableVolume.ts"), (it) => void it.toggleStableVolume(player))
    },
    {
      name: "link",
      isOffered: isVideo,
      label: t("copyLink"),
      key: "u",
      run: () => load(player, import("./CopyLink.ts"), (it) => void it.copyLink(player))
    },
    {
      name: "statistics",
      label: t("statistics"),
      key: "d",
      isOn: () => root.querySelector(".kp-statistics") !== null,
      run: () => load(player, import("./Statistics.ts"), (it) => it.toggleStatistics(player))
    },
    {
      name: "help",
      label: t("help"),
      key: "?",
      run: () => load(player, import("./Help.ts"), (it) => it.showHelp(player))
    }
  )
  for (const [name, key, label] of [
    ["next", "N", t("nextVideo")],
    ["previous", "P", t("previousVideo")]
  ] as const) {
    const address = queue?.[name]
    if (address !== undefined) commands.add({ name, key, label, run: () => location.assign(address) })
  }
  video.addEventListener("contextmenu", (event) => {
    // A second click in the same place shows the browser's own menu.
    if (root.querySelector(".kp-context") !== null) return
    event.preventDefault()
    load(player, import("./ContextMenu.ts"), (it) => it.showContextMenu(player, event.clientX, event.clientY))
  })
  video.addEventListener(
    "playing",
    () => {
      load(player, import("./MediaSession.ts"), (it) => it.joinMediaSession(player, queue))
      load(player, import("./RemotePlayback.ts"), (it) => it.offerRemotePlayback(player))
      if (recallStableVolume()) load(player, import("./StableVolume.ts"), (it) => it.stabilizeAgain(player))
    },
    { once: true }
  )
}
