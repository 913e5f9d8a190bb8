import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import { formatClock } from "../Time.ts"

interface Section {
  readonly from: number
  to: number | undefined
}

const sections = new WeakMap<HTMLElement, Section>()

const listening = new WeakSet<HTMLElement>()

/** Begins again at the first mark, whenever the second is reached. */
const listen = ({ root, seek, video }: Player): void => {
  if (listening.has(root)) return
  listening.add(root)
  const repeat = () => {
    const section = sections.get(root)
    if (section?.to !== undefined && video.currentTime >= section.to) seek(section.from)
  }
  video.addEventListener("timeupdate", repeat)
  video.addEventListener("ended", () => {
    if (sections.get(root)?.to === undefined) return
    repeat()
    void video.play().catch(() => undefined)
  })
}

/** Marks where a section begins, then where it ends, then takes both marks away. */
export const markSection = (player: Player): void => {
  const { controls, overlay, root, video } = player
  const known = sections.get(root)
  const now = video.currentTime
  if (known !== undefined && known.to === undefined && now > known.from + 0.5) {
    known.to = now
    listen(player)
    controls.seekBar.setSection(known.from, now)
    overlay.say(t("sectionRepeats", { from: formatClock(known.from), to: formatClock(now) }))
    return player.seek(known.from)
  }
  if (known !== undefined) {
    sections.delete(root)
    delete root.dataset["section"]
    controls.seekBar.setSection(undefined, undefined)
    return overlay.say(t("sectionOff"))
  }
  sections.set(root, { from: now, to: undefined })
  root.dataset["section"] = ""
  controls.seekBar.setSection(now, undefined)
  overlay.say(t("sectionBegins", { clock: formatClock(now) }))
}
