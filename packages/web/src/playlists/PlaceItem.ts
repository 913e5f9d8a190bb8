import { VideoState } from "@kinora/domain/enums/VideoState"
import { messages as live } from "@kinora/domain/messages/en/live"
import { element } from "../player/Dom.ts"
import { formatClock } from "../player/Time.ts"
import { treatThumb } from "../session/SensitiveThumbs.ts"
import type { Place } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)
const ofLives = pageText("live", live)

/** Lists name the state of lives that are not on. */
const liveBadge = ({ state }: NonNullable<Place["video"]>): HTMLElement => {
  if (state === undefined || state.id === VideoState.published) {
    return element("span", { class: "badge live" }, ofLives("live"))
  }
  return element("span", { class: "badge" }, ofLives(state.id === VideoState.waitingForLive ? "soon" : "over"))
}

/** The name of what stands at a place, or what became of it. */
export const placeTitle = ({ type, video }: Place): string => video?.name ?? t("placeTitle", { type })

/** Styles treat the picture as the instance's policy says until the user's own choices are known. */
const markSensitive = (frame: HTMLElement, nsfwFlags: number): void => {
  frame.dataset["nsfw"] = String(nsfwFlags)
  frame.append(element("span", { class: "badge sensitive-badge" }, t("sensitive")))
  void treatThumb(frame)
}

/** The picture of what stands at a place with its length; an empty frame where there is none. */
export const placePicture = ({ video }: Place): HTMLElement => {
  const frame = element("span", { class: "thumb" })
  if (video === null) return frame
  frame.append(video.isLive ? liveBadge(video) : element("span", { class: "badge" }, formatClock(video.duration)))
  if (video.nsfw) markSensitive(frame, video.nsfwFlags)
  const remote = video.thumbnails.find((it) => it.width >= 280)?.fileUrl
  const source = video.thumbnailPath || remote
  if (source) frame.prepend(element("img", { src: source, alt: "", loading: "lazy" }))
  return frame
}

/** A place in the list beside the player. */
export const placeItem = (place: Place, current: number, href: string): HTMLLIElement => {
  const text = element(
    "span",
    { class: "place-text" },
    element("span", { class: "place-title", dir: "auto" }, placeTitle(place))
  )
  if (place.video !== null) {
    text.append(element("span", { class: "place-by", dir: "auto" }, place.video.channel.displayName))
  }
  const inside = [element("span", { class: "place-number" }, String(place.position)), placePicture(place), text]
  const attributes = { class: "place-link", "aria-current": place.position === current ? "true" : undefined }
  return element(
    "li",
    { class: place.video === null ? "place gone" : "place" },
    place.video === null ? element("span", attributes, ...inside) : element("a", { ...attributes, href }, ...inside)
  )
}
