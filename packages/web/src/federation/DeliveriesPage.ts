import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { hostItem } from "./HostItem.ts"
import type { Host } from "./HostText.ts"

const perPage = 20
const filters = ["search", "state", "sort"] as const
const states: ReadonlyArray<Host["state"]> = ["well", "unknown", "resting", "failing", "unavailable"]
/** Orders that the page offers besides what waits most. */
const orders = ["host", "-lastSuccessAt", "lastSuccessAt", "-createdAt"] as const

/** Fills the page of deliveries; what is chosen stands in the address, so that it can be kept and passed on. */
export const showDeliveries = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return location.replace("/login")
  const outcome = root.querySelector<HTMLElement>("[data-outcome]")!
  const total = root.querySelector<HTMLElement>("[data-total]")!
  const list = root.querySelector<HTMLElement>("[data-hosts]")!
  const more = root.querySelector<HTMLButtonElement>("[data-more]")!
  const form = root.querySelector<HTMLFormElement>("[data-filter]")!
  const field = (name: (typeof filters)[number]) =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement
  let asked = 0

  const showOutcome = (text: string, failed: boolean): void => {
    outcome.textContent = text
    outcome.classList.toggle("failed", failed)
  }

  const query = (): URLSearchParams => {
    const chosen = new URLSearchParams()
    for (const name of filters) {
      const value = field(name).value.trim()
      if (value !== "" && value !== "-waiting") chosen.set(name, value)
    }
    return chosen
  }

  const page = async (start: number): Promise<void> => {
    const mine = ++asked
    const chosen = query()
    const answer = await call("GET /api/v1/server/federation/hosts", {
      query: {
        start,
        count: perPage,
        search: chosen.get("search") ?? undefined,
        state: states.find((it) => it === chosen.get("state")),
        sort: orders.find((it) => it === chosen.get("sort"))
      }
    })
    // A later question is on its way: what it finds is what is wanted.
    if (mine !== asked) return
    if (answer.status === 401) return location.replace("/login")
    if (!answer.ok) return showOutcome(failureText(answer, "Only administrators may see this."), true)
    showOutcome("", false)
    const items = answer.body.data.map((host) => hostItem(host, showOutcome))
    if (start === 0) list.replaceChildren(...items)
    else list.append(...items)
    const all = answer.body.total
    total.textContent = all === 0 ? "No such host." : `${all} ${all === 1 ? "host" : "hosts"}`
    more.hidden = list.childElementCount >= all
    if (start > 0) items[0]?.querySelector<HTMLElement>("summary, button")?.focus()
  }

  const choose = (): void => {
    const chosen = query()
    history.replaceState(null, "", chosen.size === 0 ? location.pathname : `${location.pathname}?${chosen}`)
    void page(0)
  }

  const given = new URLSearchParams(location.search)
  for (const name of filters) {
    const value = given.get(name)
    if (value === null) continue
    field(name).value = value
    // A choice that there is not leaves a select without any.
    if (field(name).value === "") field(name).value = name === "sort" ? "-waiting" : ""
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    choose()
  })
  for (const name of ["state", "sort"] as const) field(name).addEventListener("change", choose)
  more.addEventListener("click", () => {
    more.disabled = true
    void page(list.childElementCount).finally(() => (more.disabled = false))
  })
  await page(0)
}
