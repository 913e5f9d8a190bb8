import type { Answer } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { type Me, type Playlist, readMe } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)

/** Says below the title what went wrong. */
export const showAnswer = (root: HTMLElement, answer: Answer | undefined): void => {
  const place = root.querySelector<HTMLElement>(":scope > .outcome")
  if (place === null) return
  place.classList.toggle("failed", answer !== undefined)
  place.textContent = answer === undefined ? "" : failureText(answer, t("notYours"))
}

export const setLoading = (root: HTMLElement, isLoading: boolean): void => {
  root.querySelector<HTMLElement>("[data-loading]")!.hidden = !isLoading
}

/** Who is logged in; whoever is not is sent to log in. */
export const requireMe = async (root: HTMLElement): Promise<Me | undefined> => {
  if (!isLoggedIn()) return void location.replace("/login")
  setLoading(root, true)
  const me = await readMe()
  if (me.ok) return me.value
  setLoading(root, false)
  if (me.answer.status === 401) location.replace("/login")
  else showAnswer(root, me.answer)
  return undefined
}

/** A button that has to be pressed twice: the first time it asks. */
export const confirmed = (button: HTMLButtonElement, question: string, run: () => void): void => {
  const label = button.textContent ?? ""
  const rest = () => {
    button.textContent = label
    delete button.dataset["asked"]
  }
  button.addEventListener("click", () => {
    if (button.dataset["asked"] === "true") {
      rest()
      run()
    } else {
      button.dataset["asked"] = "true"
      button.textContent = question
    }
  })
  button.addEventListener("blur", rest)
}

export const removePlaylist = (playlistId: number): Promise<Answer> =>
  call("DELETE /api/v1/video-playlists/:playlistId", { params: { playlistId } })

/** `1 video`, `2 videos`. */
export const videosText = (count: number): string => t("videos", { count })

/** Who may see a playlist, in a word. */
export const privacyText = ({ privacy }: Pick<Playlist, "privacy">): string =>
  t("privacy", { id: privacy.id }) || privacy.label

/** A button of a list. */
export const smallButton = (text: string, label: string): HTMLButtonElement =>
  element("button", { type: "button", class: "small", "aria-label": label }, text)
