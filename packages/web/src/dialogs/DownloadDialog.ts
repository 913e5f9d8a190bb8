import type { ShownVideo } from "../api/Wire.ts"
import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { downloadsOf } from "./Downloads.ts"
import { openDialog } from "./OpenDialog.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/dialogs.ts"

const t = pageText("dialogs", messages)

const entry = (label: string, size: string, address: string): HTMLLIElement =>
  element(
    "li",
    {},
    element(
      "a",
      { href: address, download: true },
      element("span", {}, label),
      element("span", { class: "size" }, size)
    )
  )

/** The files of a video, one for each resolution, its sound and its subtitles. */
export const openDownloadDialog = (player: Player, video: ShownVideo): void => {
  const files = downloadsOf(video)
  const list = element(
    "ul",
    { class: "sheet-list" },
    ...files.map((it) => entry(it.label, it.size, player.fileAddress(it.address)))
  )
  const subtitles = player.captions.tracks().map((it) => entry(it.label, "WebVTT", it.src))
  openDialog(
    t("download"),
    files.length === 0 ? element("p", {}, t("noFile")) : list,
    ...(subtitles.length === 0
      ? []
      : [element("h3", {}, t("subtitles")), element("ul", { class: "sheet-list" }, ...subtitles)])
  )
}
