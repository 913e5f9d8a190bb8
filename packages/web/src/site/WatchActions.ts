import { isLoggedIn } from "../api/StoredSession.ts"
import type { ShownVideo } from "../api/Wire.ts"
import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/site.ts"

const t = pageText("site", messages)

const actionsOf = (): HTMLElement | null => document.querySelector<HTMLElement>(".watch-actions")

/** The button that the server drew, or a new one where the page was written without. */
const button = (actions: HTMLElement, name: "share" | "download", label: string): HTMLButtonElement => {
  const drawn = actions.querySelector<HTMLButtonElement>(`[data-${name}]`)
  if (drawn !== null) return drawn
  const made = element("button", { type: "button", [`data-${name}`]: true }, label)
  actions.append(made)
  return made
}

const offer = (place: HTMLButtonElement, open: () => Promise<unknown>): void => {
  place.hidden = false
  place.addEventListener("click", () => {
    place.disabled = true
    void open().finally(() => {
      place.disabled = false
    })
  })
}

/** Share, download, report and mute, once it is known what the video is. */
export const offerWatchActions = (player: Player, video: ShownVideo): void => {
  const actions = actionsOf()
  if (actions === null || actions.dataset["ready"] !== undefined) return
  actions.dataset["ready"] = ""
  const { origin = location.origin } = player.root.dataset
  offer(button(actions, "share", t("share")), async () => {
    const { openShareDialog } = await import("../dialogs/ShareDialog.ts")
    openShareDialog({
      title: video.name,
      watch: `${origin}/w/${video.shortUUID}`,
      embed: `${origin}/videos/embed/${video.uuid}`,
      at: player.video.currentTime
    })
  })
  if (video.downloadEnabled && !video.isLive) {
    offer(button(actions, "download", t("download")), async () => {
      const { openDownloadDialog } = await import("../dialogs/DownloadDialog.ts")
      openDownloadDialog(player, video)
    })
  }
  if (isLoggedIn()) void offerMenu(player, video, actions)
  void import("../watch-panels/Panels.ts").then((it) => it.offerPanels(player, video))
}

/** What one may do about the video and who made it. */
const offerMenu = async (player: Player, video: ShownVideo, actions: HTMLElement): Promise<void> => {
  const { actorMenu, reportItem } = await import("./ActorMenu.ts")
  const { account } = video
  const menu = actorMenu({ id: account.id, handle: `${account.name}@${account.host}` })
  const report = reportItem()
  report.addEventListener("click", () => {
    if (menu instanceof HTMLDetailsElement) menu.open = false
    const at = player.video.currentTime
    void import("../dialogs/ReportDialog.ts").then((it) =>
      it.openReportDialog({ kind: "video", id: video.uuid, title: video.name, at })
    )
  })
  menu.querySelector(".menu-items")?.prepend(report)
  const place = actions.querySelector("[data-menu]")
  if (place === null) actions.append(menu)
  else place.replaceWith(menu)
}
