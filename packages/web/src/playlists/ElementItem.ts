import { element } from "../player/Dom.ts"
import { formatClock, parseTime } from "../player/Time.ts"
import { smallButton } from "./Library.ts"
import { placePicture, placeTitle } from "./PlaceItem.ts"
import type { Place } from "../api/Playlists.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/playlists.ts"

const t = pageText("playlists", messages)

/** What people do to one element of their playlist. */
export interface ElementActions {
  readonly up: (item: HTMLLIElement) => void
  readonly down: (item: HTMLLIElement) => void
  readonly remove: (item: HTMLLIElement, place: Place) => void
  /** Times are seconds; null is none. */
  readonly times: (item: HTMLLIElement, place: Place, start: number | null, stop: number | null) => void
}

const timeField = (label: string, name: string, seconds: number | null, title: string): HTMLLabelElement =>
  element(
    "label",
    { class: "time" },
    label,
    element("input", {
      name,
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      placeholder: "0:00",
      "aria-label": t("playingAt", { label, title }),
      value: seconds === null ? "" : formatClock(seconds)
    })
  )

/** Seconds that a field names, null when it is empty, undefined when it names none. */
const secondsIn = (item: HTMLLIElement, name: string): number | null | undefined => {
  const text = item.querySelector<HTMLInputElement>(`input[name="${name}"]`)!.value.trim()
  if (text === "") return null
  const value = parseTime(text)
  return value === undefined ? undefined : Math.floor(value)
}

/** One element of a playlist on its owner's page. Numbers and labels of handles are written by `number`. */
export const elementItem = (place: Place, playlistAddress: string, actions: ElementActions): HTMLLIElement => {
  const title = placeTitle(place)
  const name =
    place.video === null
      ? element("span", { class: "order-name" }, title)
      : element("a", { class: "order-name", dir: "auto", href: playlistAddress, "data-play": true }, title)
  const up = smallButton("↑", t("up", { title }))
  const down = smallButton("↓", t("down", { title }))
  const remove = smallButton(t("remove"), t("removeOne", { title }))
  const times = element("span", { class: "order-times" })
  const item = element(
    "li",
    { "data-element": place.id, class: place.video === null ? "gone" : undefined },
    element(
      "button",
      { type: "button", class: "handle", "aria-describedby": "order-hint", "data-title": title },
      element("span", { "aria-hidden": "true" }, "⠿")
    ),
    element("span", { class: "place-number" }),
    placePicture(place),
    element("span", { class: "order-text" }, name, times),
    element("span", { class: "order-actions" }, up, down, remove)
  )
  if (place.video !== null) {
    const from = timeField(t("begin"), "startTimestamp", place.startTimestamp, title)
    const to = timeField(t("end"), "stopTimestamp", place.stopTimestamp, title)
    times.append(from, to)
    times.addEventListener("change", (event) => {
      const field = event.target
      if (!(field instanceof HTMLInputElement)) return
      const start = secondsIn(item, "startTimestamp")
      const stop = secondsIn(item, "stopTimestamp")
      field.setAttribute("aria-invalid", String(secondsIn(item, field.name) === undefined))
      if (start !== undefined && stop !== undefined) actions.times(item, place, start, stop)
    })
  }
  up.addEventListener("click", () => actions.up(item))
  down.addEventListener("click", () => actions.down(item))
  remove.addEventListener("click", () => actions.remove(item, place))
  return item
}

/** Writes the places of all items of a list, counted from 1. */
export const number = (list: HTMLElement, total: number): void => {
  Array.from(list.children).forEach((item, index) => {
    const position = index + 1
    item.querySelector(".place-number")!.textContent = String(position)
    const handle = item.querySelector<HTMLElement>(".handle")!
    handle.setAttribute("aria-label", t("handle", { title: handle.dataset["title"] ?? "", position, total }))
    const link = item.querySelector<HTMLAnchorElement>("a[data-play]")
    if (link !== null) link.search = `?playlistPosition=${position}`
  })
}
