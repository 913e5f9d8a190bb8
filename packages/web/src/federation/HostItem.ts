import type { WaitingDelivery as WaitingDeliverySchema } from "@kinora/domain/wire/FederationHost"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { errorText, failureOf, type Host, lengthText, stateText, waitingText } from "./HostText.ts"

type WaitingDelivery = typeof WaitingDeliverySchema.Type

/** A host takes up to seven seconds to answer. */
const looks = 8
const between = 1_500

const path = "/api/v1/server/federation/hosts/:host"

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

const time = (iso: string): HTMLElement =>
  element(
    "time",
    { datetime: iso, title: lengthText(Math.abs(Date.now() - Date.parse(iso))) },
    dates.format(new Date(iso))
  )

const fact = (name: string, ...value: Array<Node | string>): ReadonlyArray<HTMLElement> => [
  element("dt", {}, name),
  element("dd", {}, ...value)
]

/** What is known of a host, as a list of terms. */
const facts = (host: Host): HTMLElement => {
  const waits = waitingText(host)
  const failure = failureOf(host, Date.now())
  const passed = host.nextAttemptAt !== null && Date.parse(host.nextAttemptAt) <= Date.now()
  return element(
    "dl",
    { class: "facts" },
    ...(failure === undefined ? [] : fact("Fails", failure)),
    ...(host.lastError === null
      ? []
      : fact("Last error", errorText(host.lastError), element("small", {}, host.lastError))),
    ...(waits === undefined ? fact("Waiting", "Nothing") : fact("Waiting", waits)),
    ...(host.oldestWaitingAt === null ? [] : fact("Oldest", time(host.oldestWaitingAt))),
    ...(host.nextAttemptAt === null ? [] : fact("Next attempt", passed ? "Now" : time(host.nextAttemptAt))),
    ...fact("Last success", host.lastSuccessAt === null ? "Never yet" : time(host.lastSuccessAt)),
    ...fact("Followers there", String(host.followers))
  )
}

const waiting = (delivery: WaitingDelivery): HTMLElement =>
  element(
    "li",
    {},
    element("strong", {}, delivery.type),
    " since ",
    time(delivery.createdAt),
    delivery.attempts === 0
      ? ", not tried yet"
      : `, tried ${delivery.attempts === 1 ? "once" : `${delivery.attempts} times`}`,
    ...(delivery.nextAttemptAt === null || Date.parse(delivery.nextAttemptAt) <= Date.now()
      ? []
      : [", next ", time(delivery.nextAttemptAt)]),
    ...(delivery.lastError === null ? [] : [element("span", {}, errorText(delivery.lastError))]),
    element("small", {}, delivery.activity)
  )

/** The deliveries that are next, asked for when somebody opens them. */
const waitingPart = (host: Host): HTMLElement => {
  const list = element("ol", { class: "waiting" })
  const note = element("p", { class: "hint", role: "status" })
  const part = element("details", {}, element("summary", {}, "What waits"), note, list)
  part.addEventListener("toggle", () => {
    if (!part.open) return
    note.textContent = "One moment…"
    void call(`GET ${path}`, { params: { host: host.host } }).then((answer) => {
      if (!answer.ok) return void (note.textContent = failureText(answer, "Nothing is known of it any more."))
      const { deliveries, waiting: total } = answer.body
      list.replaceChildren(...deliveries.map(waiting))
      note.textContent = total > deliveries.length ? `The first ${deliveries.length} of ${total}:` : ""
      if (total === 0) note.textContent = "Nothing waits any more."
    })
  })
  return part
}

/** One host with what can be done. `showOutcome` shows the result of an action. */
export const hostItem = (host: Host, showOutcome: (text: string, failed: boolean) => void): HTMLElement => {
  const button = element("button", { type: "button", class: "quiet" }, "Try again now")
  button.setAttribute("aria-label", `Try ${host.host} again now`)
  const item = element(
    "li",
    { "data-host": host.host, "data-state": host.state },
    element("h2", {}, host.host, element("span", { class: "state" }, stateText(host))),
    facts(host),
    ...(host.waiting > 0 ? [waitingPart(host)] : []),
    ...(host.waiting > 0 || host.failingSince !== null ? [button] : [])
  )

  /** Shows it as it is now; nothing when the list has become another one meanwhile. */
  const refresh = async (): Promise<Host | undefined> => {
    const answer = await call(`GET ${path}`, { params: { host: host.host } })
    const shown = document.querySelector<HTMLElement>(`[data-host="${CSS.escape(host.host)}"]`)
    if (!answer.ok || shown === null) return undefined
    const now = answer.body
    const anew = hostItem(now, showOutcome)
    const held = shown.contains(document.activeElement)
    const opened = shown.querySelector("details")?.open === true
    shown.replaceWith(anew)
    const details = anew.querySelector("details")
    if (opened && details !== null) details.open = true
    if (held) anew.querySelector<HTMLElement>("button, summary")?.focus()
    return now
  }

  /** Looks again until there was another attempt. */
  const watch = async (): Promise<void> => {
    for (let i = 0; i < looks; i++) {
      const now = await refresh()
      if (now === undefined) return
      if (now.lastAttemptAt !== host.lastAttemptAt)
        return showOutcome(`${host.host} was tried: ${stateText(now)}.`, false)
      await new Promise((resolve) => setTimeout(resolve, between))
    }
    showOutcome(`${host.host} has not answered yet.`, false)
  }

  button.addEventListener("click", () => {
    button.disabled = true
    void call(`POST ${path}/retry`, { params: { host: host.host } }).then(async (answer) => {
      if (answer.ok) {
        showOutcome(`${host.host} is being tried. A moment…`, false)
        await watch()
      } else {
        button.disabled = false
        showOutcome(failureText(answer, "Nothing is known of it any more."), true)
      }
    })
  })
  return item
}
