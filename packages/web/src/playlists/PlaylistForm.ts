import type { Answer } from "../api/Answer.ts"
import { failureText, showFailure, clearOutcome } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { type Me, type Playlist, reasons } from "../api/Playlists.ts"

const publicPrivacy = "1"

const control = <A extends HTMLElement>(form: HTMLFormElement, name: string): A =>
  form.querySelector<A>(`[name="${name}"]`)!

/** Fills in the channels of the user, and keeps a public playlist in one. */
export const prepareForm = (form: HTMLFormElement, me: Me): void => {
  const channels = control<HTMLSelectElement>(form, "videoChannelId")
  const privacy = control<HTMLSelectElement>(form, "privacy")
  for (const { displayName, id } of [...(me.videoChannels ?? []), ...(me.videoChannelCollaborations ?? [])]) {
    channels.append(element("option", { value: id }, displayName))
  }
  privacy.addEventListener("change", () => {
    if (privacy.value === publicPrivacy && channels.value === "") channels.selectedIndex = 1
  })
  channels.addEventListener("change", () => {
    if (privacy.value === publicPrivacy && channels.value === "") privacy.value = "3"
  })
}

/** Writes what a playlist is into its form. */
export const fillForm = (form: HTMLFormElement, playlist: Playlist): void => {
  control<HTMLInputElement>(form, "displayName").value = playlist.displayName
  control<HTMLTextAreaElement>(form, "description").value = playlist.description ?? ""
  control<HTMLSelectElement>(form, "privacy").value = String(playlist.privacy.id)
  const channels = control<HTMLSelectElement>(form, "videoChannelId")
  channels.value = String(playlist.videoChannel?.id ?? "")
}

/** Sends a form with its picture; while it is on its way, it cannot be sent again. The form shows failures. */
export const sendForm = async (
  form: HTMLFormElement,
  send: (body: FormData) => Promise<Answer>
): Promise<Answer | undefined> => {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]")!
  const body = new FormData(form)
  const picture = body.get("thumbnailfile")
  if (picture instanceof File && picture.size === 0) body.delete("thumbnailfile")
  clearOutcome(form)
  button.disabled = true
  const answer = await send(body)
  button.disabled = false
  if (answer.ok) return answer
  showFailure(form, reasons(answer) ?? failureText(answer, undefined))
  return undefined
}
