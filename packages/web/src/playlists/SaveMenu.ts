import type { Answer } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { isWatchLater, type Playlist, readMe, readPlaylists } from "../api/Playlists.ts"
import { around, pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)

interface Saved {
  readonly playlist: Pick<Playlist, "id" | "displayName">
  /** Row ids of the video's elements in it. */
  readonly elements: ReadonlyArray<number>
}

type Found = { readonly saved: ReadonlyArray<Saved> } | { readonly failure: string }

/** Playlists of the user with where the video stands in them: "Watch later" first, then what was changed last. */
const find = async (videoId: string): Promise<Found> => {
  const me = await readMe()
  if (!me.ok) return { failure: failureText(me.answer, undefined) }
  const [playlists, exist] = await Promise.all([
    readPlaylists(me.value.account.name),
    call("GET /api/v1/users/me/video-playlists/videos-exist", { query: { videoIds: [videoId] } })
  ])
  if (!playlists.ok) return { failure: failureText(playlists.answer, undefined) }
  if (!exist.ok) return { failure: failureText(exist, undefined) }
  const sorted = playlists.value.toSorted((a, b) => Number(isWatchLater(b)) - Number(isWatchLater(a)))
  const places = exist.body[videoId] ?? []
  return {
    saved: sorted.map((playlist) => ({
      playlist,
      elements: places.filter((it) => it.playlistId === playlist.id).map((it) => it.playlistElementId)
    }))
  }
}

/** A box for one playlist: ticked while the video is in it. */
const box = (saved: Saved, uuid: string, status: HTMLElement): HTMLLabelElement => {
  const { playlist } = saved
  let elements = [...saved.elements]
  const input = element("input", { type: "checkbox" })
  input.checked = elements.length > 0
  const put = async (): Promise<Answer> => {
    const answer = await call("POST /api/v1/video-playlists/:playlistId/videos", {
      params: { playlistId: playlist.id },
      body: { videoId: uuid }
    })
    if (answer.ok) elements = [answer.body.videoPlaylistElement.id]
    return answer
  }
  const take = async (): Promise<Answer | undefined> => {
    for (const id of elements) {
      const answer = await call("DELETE /api/v1/video-playlists/:playlistId/videos/:playlistElementId", {
        params: { playlistId: playlist.id, playlistElementId: id }
      })
      if (!answer.ok && answer.status !== 404) return answer
    }
    elements = []
    return undefined
  }
  input.addEventListener("change", () => {
    const isWanted = input.checked
    input.disabled = true
    void (isWanted ? put() : take()).then((answer) => {
      input.disabled = false
      input.checked = elements.length > 0
      status.textContent =
        answer !== undefined && !answer.ok
          ? failureText(answer, undefined)
          : isWanted
            ? t("savedTo", { name: playlist.displayName })
            : t("removedFrom", { name: playlist.displayName })
      input.focus()
    })
  })
  return element("label", { class: "save-box" }, input, element("span", { dir: "auto" }, playlist.displayName))
}

const maker = (uuid: string, boxes: HTMLElement, status: HTMLElement): HTMLFormElement => {
  const name = element("input", {
    type: "text",
    required: true,
    maxlength: 120,
    placeholder: t("make"),
    "aria-label": t("makeName"),
    autocomplete: "off"
  })
  const button = element("button", { type: "submit", class: "small" }, t("create"))
  const form = element("form", { class: "save-new" }, name, button)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    button.disabled = true
    void (async () => {
      const displayName = name.value
      const made = await call("POST /api/v1/video-playlists", { body: { displayName } })
      button.disabled = false
      if (!made.ok) {
        status.textContent = failureText(made, undefined)
        return
      }
      name.value = ""
      const added = box({ playlist: { id: made.body.videoPlaylist.id, displayName }, elements: [] }, uuid, status)
      boxes.append(added)
      added.querySelector("input")!.click()
    })()
  })
  return form
}

/** What the menu shows, once it is known. */
const fill = async (menu: HTMLElement, videoId: string, uuid: string): Promise<void> => {
  const status = element("p", { class: "save-status", role: "status", "aria-live": "polite" })
  if (!isLoggedIn()) {
    const login = element("a", { href: "/login" }, t("logIn"))
    return menu.replaceChildren(
      element(
        "p",
        {},
        around((link) => t("toSave", { link }), login)
      )
    )
  }
  menu.replaceChildren(element("p", { role: "status" }, t("loading")))
  const found = await find(videoId)
  if ("failure" in found) return menu.replaceChildren(element("p", { role: "alert" }, found.failure))
  const boxes = element("div", { class: "save-boxes" }, ...found.saved.map((saved) => box(saved, uuid, status)))
  const all = element("p", {}, element("a", { href: "/my-library/video-playlists" }, t("mine")))
  menu.replaceChildren(boxes, maker(uuid, boxes, status), status, all)
  boxes.querySelector("input")?.focus()
}

/** Shows the button that saves the video of the page, and opens its menu. */
export const enhanceSaveButton = (button: HTMLButtonElement): void => {
  let menu: HTMLElement | undefined
  const close = (isReturning: boolean) => {
    if (menu === undefined) return
    menu.remove()
    menu = undefined
    button.setAttribute("aria-expanded", "false")
    if (isReturning) button.focus()
  }
  button.hidden = false
  button.setAttribute("aria-expanded", "false")
  button.addEventListener("click", () => {
    if (menu !== undefined) return close(true)
    menu = element("div", { class: "save-menu", role: "dialog", "aria-label": t("saveTo"), tabindex: -1 })
    button.after(menu)
    button.setAttribute("aria-expanded", "true")
    menu.focus()
    void fill(menu, button.dataset["save"] ?? "", button.dataset["uuid"] ?? "")
  })
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu !== undefined) close(true)
  })
  document.addEventListener("pointerdown", (event) => {
    const { target } = event
    if (menu === undefined || !(target instanceof Node) || menu.contains(target) || button.contains(target)) return
    close(false)
  })
}
