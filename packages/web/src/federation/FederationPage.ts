import type { Follow } from "@kinora/domain/wire/Follow"
import type { Answer } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { isLoggedIn } from "../api/StoredSession.ts"

const perPage = 50

type Side = "following" | "followers"

const say = (outcome: Element | null, text: string, failed = false): void => {
  if (outcome === null) return
  outcome.textContent = text
  outcome.classList.toggle("failed", failed)
}

const wrongText = (answer: Answer): string =>
  answer.wrong.length === 0
    ? failureText(answer, "Only administrators may do this.")
    : answer.wrong.map(({ name, reason }) => `${name}: ${reason}`).join(". ")

/** Every instance's actor has the same name; only hosts distinguish them. */
const named = ({ host, name }: Follow["follower"]): string => (name === "peertube" ? host : `${name}@${host}`)

/** One list with its buttons; gives what reads it anew. */
const offerList = (root: HTMLElement, side: Side): (() => Promise<Answer>) => {
  const body = root.querySelector(`[data-table="${side}"] tbody`)!
  const outcome = root.querySelector(`[data-outcome-of="${side}"]`)
  const more = root.querySelector<HTMLButtonElement>(`[data-more="${side}"]`)!

  const button = (text: string, ask: () => Promise<Answer>): HTMLElement => {
    const made = element("button", { type: "button", class: "quiet" }, text)
    made.addEventListener("click", () => {
      made.disabled = true
      void ask().then(async (answer) => {
        made.disabled = false
        if (answer.ok || answer.status === 404) await read()
        say(outcome, answer.ok ? "Done." : wrongText(answer), !answer.ok)
      })
    })
    return made
  }

  const buttons = (follow: Follow): ReadonlyArray<HTMLElement> => {
    const other = side === "following" ? follow.following : follow.follower
    const handle = `${other.name}@${other.host}`
    if (side === "following") {
      const params = { hostOrHandle: handle }
      return [button("Unfollow", () => call("DELETE /api/v1/server/following/:hostOrHandle", { params }))]
    }
    const params = { handle }
    const accept = button("Accept", () => call("POST /api/v1/server/followers/:handle/accept", { params }))
    const reject = button("Reject", () => call("POST /api/v1/server/followers/:handle/reject", { params }))
    const remove = button("Remove", () => call("DELETE /api/v1/server/followers/:handle", { params }))
    return follow.state === "pending" ? [accept, reject] : [reject, remove]
  }

  const row = (follow: Follow): HTMLElement =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, named(side === "following" ? follow.following : follow.follower)),
      element("td", {}, follow.state === "pending" ? "Waits" : "Accepted"),
      element("td", {}, ...buttons(follow))
    )

  const page = async (start: number): Promise<Answer> => {
    const answer = await call(`GET /api/v1/server/${side}`, { query: { start, count: perPage } })
    if (!answer.ok) return answer
    const rows = answer.body.data.map(row)
    if (start === 0) body.replaceChildren(...rows)
    else body.append(...rows)
    root.querySelector<HTMLElement>(`[data-none="${side}"]`)!.hidden = body.childElementCount > 0
    more.hidden = body.childElementCount >= answer.body.total
    return answer
  }
  const read = () => page(0)

  more.addEventListener("click", () => void page(body.childElementCount))
  return read
}

/** Fills the page of whom the instance follows; who is not logged in is sent to log in. */
export const showFederation = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return location.replace("/login")
  const outcome = root.querySelector("[data-outcome]")
  const following = offerList(root, "following")
  const followers = offerList(root, "followers")
  for (const answer of await Promise.all([following(), followers()])) {
    if (answer.status === 401) return location.replace("/login")
    if (!answer.ok) return say(outcome, failureText(answer, undefined), true)
  }
  say(outcome, "")
  root.querySelector<HTMLElement>("[data-loaded]")!.hidden = false

  const form = root.querySelector<HTMLFormElement>("[data-follow-others]")!
  const followOutcome = form.querySelector(".outcome")
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const field = form.querySelector<HTMLTextAreaElement>("textarea")!
    const others = field.value.split(/[\s,]+/).filter((it) => it !== "")
    const handles = others.filter((it) => it.includes("@"))
    const hosts = others.filter((it) => !it.includes("@"))
    void call("POST /api/v1/server/following", { body: { hosts, handles } }).then(async (answer) => {
      if (answer.ok) field.value = ""
      say(
        followOutcome,
        answer.ok ? "They are looked up and asked. Load the page again in a moment." : wrongText(answer),
        !answer.ok
      )
      await following()
    })
  })
}
