import { call } from "../api/Call.ts"
import { element } from "../player/Dom.ts"
import {
  confirmed,
  removePlaylist,
  requireMe,
  setLoading,
  smallButton,
  showAnswer,
  privacyText,
  videosText
} from "./Library.ts"
import { prepareForm, sendForm } from "./PlaylistForm.ts"
import { isWatchLater, type Playlist, readPlaylists } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)

const picture = ({ thumbnailPath, thumbnails }: Playlist): HTMLElement => {
  const source = thumbnailPath ?? thumbnails[0]?.fileUrl
  const frame = element("span", { class: "thumb" })
  if (source) frame.append(element("img", { src: source, alt: "", loading: "lazy" }))
  return frame
}

const item = (root: HTMLElement, playlist: Playlist): HTMLLIElement => {
  const { displayName, shortUUID, videoChannel, videosLength } = playlist
  const own = `/my-library/video-playlists/${shortUUID}`
  const facts = [videosText(videosLength), privacyText(playlist), ...(videoChannel ? [videoChannel.displayName] : [])]
  const buttons = element(
    "span",
    { class: "shelf-actions" },
    element(
      "a",
      { class: "small", href: `/w/p/${shortUUID}`, "aria-label": t("playOne", { name: displayName }) },
      t("play")
    )
  )
  const made = element(
    "li",
    {},
    element("a", { href: own, tabindex: -1, "aria-hidden": "true" }, picture(playlist)),
    element(
      "span",
      { class: "shelf-text" },
      element("a", { href: own, class: "shelf-name", dir: "auto" }, displayName),
      element("span", { class: "shelf-facts" }, facts.join(" · "))
    ),
    buttons
  )
  if (isWatchLater(playlist)) return made
  const remove = smallButton(t("delete"), t("deleteOne", { name: displayName }))
  confirmed(remove, t("reallyDelete"), () => {
    remove.disabled = true
    void removePlaylist(playlist.id).then((answer) => {
      remove.disabled = false
      if (!answer.ok && answer.status !== 404) return showAnswer(root, answer)
      showAnswer(root, undefined)
      made.remove()
    })
  })
  buttons.append(remove)
  return made
}

/** "Watch later" first, then what was changed last. */
const sorted = (playlists: ReadonlyArray<Playlist>): ReadonlyArray<Playlist> => [
  ...playlists.filter(isWatchLater),
  ...playlists.filter((it) => !isWatchLater(it))
]

/** Fills the page of the user's own playlists. */
export const showMyPlaylists = async (root: HTMLElement): Promise<void> => {
  const me = await requireMe(root)
  if (me === undefined) return
  const list = root.querySelector<HTMLElement>("[data-list]")!
  const form = root.querySelector<HTMLFormElement>("form[data-create]")!

  const show = async () => {
    const found = await readPlaylists(me.account.name, true)
    setLoading(root, false)
    if (!found.ok) return showAnswer(root, found.answer)
    showAnswer(root, undefined)
    list.replaceChildren(...sorted(found.value).map((playlist) => item(root, playlist)))
    root.querySelector<HTMLElement>("[data-loaded]")!.hidden = false
  }

  prepareForm(form, me)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void sendForm(form, (body) => call("POST /api/v1/video-playlists", { body })).then(async (answer) => {
      if (answer === undefined) return
      form.reset()
      form.closest("details")?.removeAttribute("open")
      await show()
      list.querySelector<HTMLElement>("li:nth-child(2) .shelf-name")?.focus()
    })
  })
  await show()
}
