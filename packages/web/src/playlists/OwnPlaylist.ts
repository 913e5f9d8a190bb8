import { element } from "../player/Dom.ts"
import { addFeatures } from "../player/features/Features.ts"
import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { countDownTo } from "../site/AutoplayNext.ts"
import { playsAtOnce } from "../site/Site.ts"
import { offerTheatre } from "../site/Theatre.ts"
import { type PlaylistQueue, followQueue, inQueue } from "./PlaylistQueue.ts"
import { placeItem, placeTitle } from "./PlaceItem.ts"
import { pageSize, type Place, type Playlist, readElements, readPlaylist } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)

const privatePrivacy = 3

const address = (playlist: Playlist, position: number): string =>
  `/w/p/${playlist.shortUUID}?playlistPosition=${position}`

const listOf = (playlist: Playlist, places: ReadonlyArray<Place>, total: number, current: number): HTMLElement => {
  const first = places[0]?.position ?? 1
  const last = places.at(-1)?.position ?? total
  const list = element("ol", { class: "places", start: first })
  for (const place of places) list.append(placeItem(place, current, address(playlist, place.position)))
  const facts = element("p", { class: "playlist-by" }, total === 0 ? t("nothingIn") : `${current} / ${total}`)
  // A private one is seen by none but those who may change it.
  if (playlist.privacy.id === privatePrivacy) {
    const change = element("a", { href: `/my-library/video-playlists/${playlist.shortUUID}` }, t("change"))
    facts.append(element("span", { class: "dot" }), change)
  }
  const aside = element(
    "aside",
    { class: "playlist", "aria-label": t("playlist") },
    element("h2", { dir: "auto" }, playlist.displayName),
    facts
  )
  const more = (position: number, text: string) =>
    element("a", { class: "place-more", href: address(playlist, position) }, text)
  if (first > 1) aside.append(more(first - 1, t("earlier")))
  aside.append(list)
  if (last < total) aside.append(more(last + 1, t("later")))
  return aside
}

/** The start of the page of places that a position is on, counted from 0. */
const startOf = (position: number): number => Math.floor((position - 1) / pageSize) * pageSize

const askedPosition = (): number | undefined => {
  const text = new URLSearchParams(location.search).get("playlistPosition") ?? ""
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined
}

interface Shown {
  readonly playlist: Playlist
  readonly data: ReadonlyArray<Place>
  readonly total: number
  readonly place: Place | undefined
}

/** The playlist of the address with the page of places that is asked for, as the user sees it. */
const find = async (): Promise<Shown | undefined> => {
  const found = await readPlaylist(location.pathname.split("/").pop() ?? "")
  if (!found.ok) return undefined
  const asked = askedPosition()
  const read = await readElements(found.value.id, startOf(asked ?? 1))
  if (!read.ok) return undefined
  const { data, total } = read.value
  const place = data.find((it) => it.position === asked) ?? data.find((it) => it.video !== null) ?? data[0]
  return { playlist: found.value, data, total, place }
}

const show = (root: HTMLElement, { data, place, playlist, total }: Shown): void => {
  const next = data.find((it) => it.position > (place?.position ?? 0) && it.video !== null)
  const previous = data.findLast((it) => it.position < (place?.position ?? 0) && it.video !== null)
  const title = place === undefined ? playlist.displayName : placeTitle(place)
  const stage =
    place === undefined || place.video === null
      ? element(
          "div",
          { class: "stage gone" },
          element("p", {}, place === undefined ? t("nothingToPlay") : t("notShown"))
        )
      : element(
          "div",
          { class: "stage", "data-video": place.video.uuid, "data-origin": root.dataset["origin"] },
          element("video", { playsinline: true, preload: "none" })
        )
  const article = element("article", {}, stage, element("h1", { dir: "auto" }, title))
  if (place?.video) {
    const about = element("a", { href: `/w/${place.video.shortUUID}` }, t("aboutVideo"))
    article.append(element("p", { class: "playlist-video" }, about))
  }
  root.replaceChildren(article, listOf(playlist, data, total, place?.position ?? 0))
  document.title = `${title} · ${playlist.displayName}`
  if (place === undefined || place.video === null) return
  const queue: PlaylistQueue = {
    position: place.position,
    previous: previous === undefined ? undefined : address(playlist, previous.position),
    start: place.startTimestamp ?? undefined,
    stop: place.stopTimestamp ?? undefined,
    next: next === undefined ? undefined : address(playlist, next.position)
  }
  const player = createPlayer(stage, inQueue(readOptions(location.search, { autoplay: playsAtOnce() }), queue))
  followQueue(player, queue, countDownTo(player))
  addFeatures(player, queue)
  offerTheatre(player)
}

/** Shows and plays a playlist that is not public, for users who may see it. Nothing happens for others. */
export const showOwnPlaylist = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return
  const found = await find()
  if (found === undefined) return
  show(root, found)
  document.querySelector("[data-absent]")?.remove()
  root.hidden = false
}

/** Adds what the page omitted because anonymous visitors may not see it. */
export const showWholePlaylist = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return
  const found = await find()
  if (found === undefined) return
  if (root.querySelector(".stage.gone") !== null) return show(root, found)
  const { data, place, playlist, total } = found
  root.querySelector("aside")?.replaceWith(listOf(playlist, data, total, askedPosition() ?? place?.position ?? 0))
}
