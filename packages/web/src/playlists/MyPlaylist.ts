import type { Answer } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import { elementItem, number } from "./ElementItem.ts"
import { confirmed, removePlaylist, requireMe, setLoading, showAnswer, videosText, privacyText } from "./Library.ts"
import { listenToDragging, listenToKeys, moveOf, place } from "./Order.ts"
import { fillForm, prepareForm, sendForm } from "./PlaylistForm.ts"
import { isWatchLater, type Me, type Place, type Playlist, readElements, readPlaylist } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)

const library = "/my-library/video-playlists"

/** Runs one after the other, so that the server sees changes in the order in which they were made. */
const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(run: () => Promise<A>): Promise<A> => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
}

const showHead = (root: HTMLElement, playlist: Playlist): void => {
  document.title = playlist.displayName
  root.querySelector("[data-title]")!.textContent = playlist.displayName
  const facts = [videosText(playlist.videosLength), privacyText(playlist)]
  if (playlist.videoChannel) facts.push(playlist.videoChannel.displayName)
  root.querySelector("[data-summary]")!.textContent = facts.join(" · ")
  root.querySelector<HTMLAnchorElement>("a[data-play]")!.href = `/w/p/${playlist.shortUUID}`
}

const showSettings = (root: HTMLElement, playlist: Playlist, me: Me, changed: () => Promise<void>): void => {
  const settings = root.querySelector<HTMLElement>("[data-settings]")!
  if (isWatchLater(playlist)) return settings.remove()
  const form = root.querySelector<HTMLFormElement>("form[data-edit]")!
  prepareForm(form, me)
  fillForm(form, playlist)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const send = (body: FormData) =>
      call("PUT /api/v1/video-playlists/:playlistId", { params: { playlistId: playlist.id }, body })
    void sendForm(form, send).then(async (answer) => {
      if (answer === undefined) return
      settings.removeAttribute("open")
      await changed()
    })
  })
  confirmed(root.querySelector<HTMLButtonElement>("[data-delete]")!, t("removeAsk"), () => {
    void removePlaylist(playlist.id).then((answer) => {
      if (answer.ok) location.assign(library)
      else showAnswer(root, answer)
    })
  })
}

/** The list of elements: loaded page by page, changed by hand. */
const showElements = (root: HTMLElement, playlist: Playlist): (() => Promise<void>) => {
  const list = root.querySelector<HTMLElement>("[data-elements]")!
  const more = root.querySelector<HTMLButtonElement>("[data-more]")!
  const status = root.querySelector<HTMLElement>("[data-status]")!
  const params = { playlistId: playlist.id }
  const ofElement = (it: Place) => ({ params: { ...params, playlistElementId: it.id } })
  const queue = inTurn()
  let total = 0

  const refresh = () => {
    number(list, total)
    root.querySelector<HTMLElement>("[data-nothing]")!.hidden = total > 0
    root.querySelector<HTMLElement>("#order-hint")!.hidden = total < 2
    root.querySelector("[data-summary]")!.textContent = [
      videosText(total),
      privacyText(playlist),
      ...(playlist.videoChannel ? [playlist.videoChannel.displayName] : [])
    ].join(" · ")
    more.hidden = list.children.length >= total
  }

  const load = async (): Promise<void> => {
    more.disabled = true
    const read = await readElements(playlist.id, list.children.length)
    more.disabled = false
    if (!read.ok) return showAnswer(root, read.answer)
    total = read.value.total
    for (const it of read.value.data) {
      if (list.querySelector(`[data-element="${it.id}"]`) !== null) continue
      list.append(elementItem(it, `/w/p/${playlist.shortUUID}`, actions))
    }
    refresh()
  }

  /** What the server did not take is read again: somebody else may have changed the playlist. */
  const reload = async (answer: Answer): Promise<void> => {
    showAnswer(root, answer)
    list.replaceChildren()
    await load()
  }

  const moved = (item: HTMLElement, from: number, to: number): void => {
    const move = moveOf(from, to)
    if (move === undefined) return
    refresh()
    status.textContent = t("moved", {
      title: item.querySelector<HTMLElement>(".handle")!.dataset["title"] ?? "",
      position: to + 1,
      total
    })
    void queue(async () => {
      const answer = await call("POST /api/v1/video-playlists/:playlistId/videos/reorder", { params, body: move })
      if (answer.ok) showAnswer(root, undefined)
      else await reload(answer)
    })
  }

  const shift = (item: HTMLLIElement, by: 1 | -1): void => {
    const from = Array.from(list.children).indexOf(item)
    const to = from + by
    if (to < 0 || to >= list.children.length) return
    place(list, item, to)
    moved(item, from, to)
  }

  const remove = (item: HTMLLIElement, it: Place): void => {
    const follower = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector<HTMLElement>(".handle")
    // Gone at once: places that are asked to move meanwhile are counted without it, as the server does by then.
    item.remove()
    total -= 1
    refresh()
    follower?.focus()
    status.textContent = t("removed")
    void queue(async () => {
      const answer = await call("DELETE /api/v1/video-playlists/:playlistId/videos/:playlistElementId", ofElement(it))
      if (answer.ok || answer.status === 404) showAnswer(root, undefined)
      else await reload(answer)
    })
  }

  const times = (item: HTMLLIElement, it: Place, startTimestamp: number | null, stopTimestamp: number | null): void => {
    void queue(async () => {
      const answer = await call("PUT /api/v1/video-playlists/:playlistId/videos/:playlistElementId", {
        ...ofElement(it),
        body: { startTimestamp, stopTimestamp }
      })
      const isWrong = answer.status === 400
      for (const field of item.querySelectorAll("input")) field.setAttribute("aria-invalid", String(isWrong))
      if (answer.ok) {
        showAnswer(root, undefined)
        status.textContent = t("saved")
      } else if (isWrong) status.textContent = t("endsFirst")
      else showAnswer(root, answer)
    })
  }

  const actions = { up: (it: HTMLLIElement) => shift(it, -1), down: (it: HTMLLIElement) => shift(it, 1), remove, times }
  const sorting = { list, handle: ".handle", moved }
  listenToDragging(sorting)
  listenToKeys(sorting)
  more.addEventListener("click", () => void queue(load))
  return load
}

/** Fills the page of one of the user's playlists. */
export const showMyPlaylist = async (root: HTMLElement): Promise<void> => {
  const me = await requireMe(root)
  if (me === undefined) return
  const id = location.pathname.split("/").pop() ?? ""
  const found = await readPlaylist(id)
  setLoading(root, false)
  if (!found.ok) return showAnswer(root, found.answer)
  showHead(root, found.value)
  const load = showElements(root, found.value)
  showSettings(root, found.value, me, async () => {
    const again = await readPlaylist(id)
    if (again.ok) showHead(root, again.value)
  })
  await load()
  root.querySelector<HTMLElement>("[data-loaded]")!.hidden = false
}
