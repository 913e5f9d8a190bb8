import { encode } from "uqr"
import { element } from "../player/Dom.ts"
import { formatClock, parseTime } from "../player/Time.ts"
import { embedHtml, startPair, withQuery } from "./EmbedCode.ts"
import { copyFrom, openDialog } from "./OpenDialog.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/dialogs.ts"

const t = pageText("dialogs", messages)

/** What is shared: addresses without a query. */
export interface Shared {
  readonly title: string
  readonly watch: string
  readonly embed: string
  /** Seconds at which the viewer is. */
  readonly at: number
}

const svg = "http://www.w3.org/2000/svg"

/** An address as a picture to scan, black on white in every scheme. */
const codeOf = (address: string): SVGSVGElement => {
  const { data, size } = encode(address, { border: 3 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("")
  const drawing = document.createElementNS(svg, "svg")
  drawing.setAttribute("viewBox", `0 0 ${size} ${size}`)
  drawing.setAttribute("role", "img")
  drawing.setAttribute("aria-label", t("qr"))
  drawing.setAttribute("class", "sheet-code")
  for (const [tag, attributes] of [
    ["rect", { width: size, height: size, fill: "#ffffff" }],
    ["path", { d: path, fill: "#000000" }]
  ] as const) {
    const shape = document.createElementNS(svg, tag)
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value))
    drawing.append(shape)
  }
  return drawing
}

const toggle = (label: string): readonly [HTMLLabelElement, HTMLInputElement] => {
  const input = element("input", { type: "checkbox" })
  return [element("label", { class: "sheet-check" }, input, label), input]
}

/** Link, embed code and QR code of a video, from its start or from a moment. */
export const openShareDialog = (shared: Shared): void => {
  const link = element("input", { type: "text", readonly: true, "aria-label": t("link") })
  const copyLink = element("button", { type: "button", class: "button" }, t("copy"))
  const [startLabel, startBox] = toggle(t("startAt"))
  const startField = element("input", {
    type: "text",
    inputmode: "numeric",
    class: "sheet-time",
    "aria-label": t("startTime"),
    value: formatClock(shared.at)
  })
  const code = element("div", { class: "sheet-qr" })
  const html = element("textarea", { readonly: true, rows: 4, "aria-label": t("embedCode") })
  const copyHtml = element("button", { type: "button", class: "button quiet" }, t("copyEmbed"))
  const [autoplayLabel, autoplay] = toggle(t("autoplay"))
  const [loopLabel, loop] = toggle(t("repeat"))
  const [responsiveLabel, responsive] = toggle(t("responsive"))

  const show = () => {
    const time = parseTime(startField.value.trim())
    startField.setAttribute("aria-invalid", String(startBox.checked && time === undefined))
    const start = startBox.checked && time !== undefined ? Math.floor(time) : undefined
    link.value = withQuery(shared.watch, startPair(start))
    html.value = embedHtml(shared, {
      start,
      autoplay: autoplay.checked,
      loop: loop.checked,
      isResponsive: responsive.checked
    })
    code.replaceChildren(codeOf(link.value))
  }
  startField.addEventListener("focus", () => (startBox.checked = true))
  copyLink.addEventListener("click", () => void copyFrom(copyLink, link.value))
  copyHtml.addEventListener("click", () => void copyFrom(copyHtml, html.value))

  const share = element("button", { type: "button", class: "button quiet" }, t("shareWith"))
  share.hidden = !("share" in navigator)
  share.addEventListener("click", () => {
    // Whoever closes the list of programs shares with none.
    navigator.share({ title: shared.title, url: link.value }).catch(() => {})
  })
  const dialog = openDialog(
    t("share"),
    element("div", { class: "sheet-line" }, link, copyLink),
    element("div", { class: "sheet-line" }, startLabel, startField, share),
    code,
    element("h3", {}, t("embed")),
    html,
    element("div", { class: "sheet-line sheet-wrap" }, autoplayLabel, loopLabel, responsiveLabel),
    copyHtml
  )
  dialog.addEventListener("input", show)
  show()
  link.select()
}
