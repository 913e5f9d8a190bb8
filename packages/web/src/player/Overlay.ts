import { element, icon, type IconName } from "./Dom.ts"
import { t } from "./Messages.ts"

type PanelKind = "waiting" | "error" | "question" | "live"

export interface Overlay {
  readonly elements: ReadonlyArray<HTMLElement>
  readonly big: HTMLButtonElement
  readonly busy: (on: boolean) => void
  /** A line over the picture while playback recovers; `undefined` takes it away. */
  readonly notice: (text: string | undefined) => void
  /** A line that goes away by itself. */
  readonly say: (text: string) => void
  /** A panel in place of the picture; styles know it by its kind. */
  readonly show: (kind: PanelKind, ...content: ReadonlyArray<HTMLElement>) => void
  /** A panel in place of the picture while the video is not ready. */
  readonly waiting: (text: string) => void
  /** A panel that says what does not work, what to do about it, and tries again. */
  readonly failure: (text: string, advice: string, again: () => void) => void
  /** A panel that asks for the video's password. */
  readonly question: (text: string, answered: (password: string) => void) => void
  readonly clearPanel: () => void
  /** A short answer to a key: an icon and a word in the middle. */
  readonly flash: (name: IconName, text?: string) => void
}

/** Everything that lies over the picture except the controls. Notices and panels are live regions. */
export const createOverlay = (): Overlay => {
  const big = element("button", { type: "button", class: "kp-big", "aria-label": t("play") }, icon("play"))
  const spinner = element("div", { class: "kp-spinner", "aria-hidden": "true" })
  const notice = element("div", { class: "kp-notice", role: "status", "aria-live": "polite" })
  const panel = element("div", { class: "kp-panel", "aria-live": "assertive", hidden: true })
  const flash = element("div", { class: "kp-flash", "aria-hidden": "true" })
  const show = (kind: PanelKind, ...content: ReadonlyArray<HTMLElement>) => {
    panel.hidden = false
    panel.dataset["kind"] = kind
    panel.replaceChildren(...content)
  }
  const mark = () => element("div", { class: "kp-panel-mark", "aria-hidden": "true" })
  const setNotice = (text: string | undefined) => {
    notice.textContent = text ?? ""
    notice.classList.toggle("kp-on", text !== undefined)
  }
  let saying: number | undefined
  let spinning: number | undefined
  let flashing: number | undefined

  return {
    big,
    elements: [spinner, big, flash, notice, panel],
    busy: (on) => {
      clearTimeout(spinning)
      // Short waits show nothing: a spinner that flickers looks slower than none.
      if (on) spinning = window.setTimeout(() => spinner.classList.add("kp-on"), 350)
      else spinner.classList.remove("kp-on")
    },
    notice: (text) => {
      clearTimeout(saying)
      setNotice(text)
    },
    say: (text) => {
      clearTimeout(saying)
      setNotice(text)
      saying = window.setTimeout(() => setNotice(undefined), 3_500)
    },
    show,
    waiting: (text) => show("waiting", mark(), element("p", {}, text)),
    failure: (text, advice, again) => {
      const button = element("button", { type: "button", class: "kp-again" }, t("tryAgain"))
      button.addEventListener("click", again)
      show("error", mark(), element("p", {}, text), element("p", { class: "kp-advice" }, advice), button)
    },
    question: (text, answered) => {
      const field = element("input", {
        type: "password",
        class: "kp-password",
        autocomplete: "off",
        required: true,
        "aria-label": t("passwordField")
      })
      const form = element(
        "form",
        { class: "kp-question" },
        field,
        element("button", { type: "submit", class: "kp-again" }, t("watch"))
      )
      form.addEventListener("submit", (event) => {
        event.preventDefault()
        answered(field.value)
      })
      show("question", element("p", {}, text), form)
      field.focus({ preventScroll: true })
    },
    clearPanel: () => {
      panel.hidden = true
      panel.replaceChildren()
    },
    flash: (name, text) => {
      clearTimeout(flashing)
      flash.replaceChildren(icon(name))
      if (text !== undefined) flash.append(element("span", {}, text))
      flash.classList.remove("kp-on")
      // Reading a layout value between the two starts the animation afresh.
      void flash.offsetWidth
      flash.classList.add("kp-on")
      flashing = window.setTimeout(() => flash.classList.remove("kp-on"), 600)
    }
  }
}
