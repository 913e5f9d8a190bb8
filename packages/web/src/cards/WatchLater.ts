import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element, icon } from "../player/Dom.ts"
import { isWatchLater, readMe, readPlaylists } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/cards.ts"

const t = pageText("cards", messages)

let playlist: Promise<number | undefined> | undefined

/** The playlist "Watch later" of the user; undefined when it cannot be asked for at the moment. */
const watchLater = (): Promise<number | undefined> => {
  playlist ??= (async () => {
    const me = await readMe()
    const all = me.ok ? await readPlaylists(me.value.account.name) : me
    return all.ok ? all.value.find(isWatchLater)?.id : undefined
  })()
  return playlist
}

/** A button on the picture of a card that puts its video into "Watch later", and takes it out again. */
const buttonFor = (card: HTMLElement, id: number, place: number | undefined): HTMLButtonElement => {
  let elementId = place
  const title = card.querySelector(".card-title")?.textContent?.trim() ?? ""
  const button = element("button", { type: "button", class: "card-later" })
  const status = element("span", { class: "sr", role: "status" })
  const show = () => {
    const label = t(elementId === undefined ? "watchLater" : "notLater")
    button.title = label
    button.setAttribute("aria-label", t("label", { act: label, title }))
    button.setAttribute("aria-pressed", String(elementId !== undefined))
    button.replaceChildren(icon(elementId === undefined ? "clock" : "check"))
  }
  const change = async (): Promise<string> => {
    const playlistId = await watchLater()
    if (playlistId === undefined) return t("failed")
    if (elementId === undefined) {
      const made = await call("POST /api/v1/video-playlists/:playlistId/videos", {
        params: { playlistId },
        body: { videoId: id }
      })
      if (!made.ok) return failureText(made, undefined)
      elementId = made.body.videoPlaylistElement.id
      return t("saved")
    }
    const gone = await call("DELETE /api/v1/video-playlists/:playlistId/videos/:playlistElementId", {
      params: { playlistId, playlistElementId: elementId }
    })
    if (!gone.ok && gone.status !== 404) return failureText(gone, undefined)
    elementId = undefined
    return t("removed")
  }
  button.addEventListener("click", () => {
    button.disabled = true
    void change().then((words) => {
      button.disabled = false
      status.textContent = words
      show()
      button.title = words
      button.focus()
    })
  })
  show()
  card.querySelector(".thumb")?.after(button, status)
  return button
}

/** Gives cards their button. What is saved already is asked for all of them at once. */
export const offerWatchLater = async (cards: ReadonlyArray<HTMLElement>): Promise<void> => {
  const ids = cards.map((it) => Number(it.dataset["card"]))
  const [playlistId, known] = await Promise.all([
    watchLater(),
    call("GET /api/v1/users/me/video-playlists/videos-exist", { query: { videoIds: ids.map(String) } })
  ])
  if (playlistId === undefined || !known.ok) return
  cards.forEach((card, n) => {
    const places = known.body[String(ids[n])] ?? []
    buttonFor(card, ids[n]!, places.find((it) => it.playlistId === playlistId)?.playlistElementId)
  })
}
