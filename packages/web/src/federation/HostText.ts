import type { FederationHost } from "@kinora/domain/wire/FederationHost"

/** A host as the API describes it. */
export type Host = typeof FederationHost.Type

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A length of time in one unit: what is exact does not matter here. */
export const lengthText = (millis: number): string => {
  if (millis < minute) return "less than a minute"
  if (millis < hour) return counted(Math.round(millis / minute), "minute")
  if (millis < 2 * day) return counted(Math.round(millis / hour), "hour")
  return counted(Math.round(millis / day), "day")
}

/** The state in a word or three. */
export const stateText = (host: Pick<Host, "state" | "waiting">): string => {
  switch (host.state) {
    case "well":
      return host.waiting > 0 ? "Delivering" : "Up to date"
    case "unknown":
      return host.waiting > 0 ? "Not tried yet" : "Not known yet"
    case "resting":
      return "Asked to wait"
    case "failing":
      return "Does not answer"
    case "unavailable":
      return "Unavailable"
  }
}

/** Since when a host fails, and what becomes of what waits for it; undefined when it does not. */
export const failureOf = (host: Host, now: number): string | undefined => {
  if (host.failingSince === null) return undefined
  const since = lengthText(now - Date.parse(host.failingSince))
  const times = counted(host.failures, "failure")
  return host.state === "unavailable"
    ? `For ${since} (${times} in a row). It is tried once a day, and what has waited for two days is given up.`
    : `For ${since} (${times} in a row). Nothing is lost: it waits for up to a week.`
}

/** Error codes of the system and of TLS. */
const unreachable = (code: string): string => {
  if (/ENOTFOUND|NODATA|NXDOMAIN|EAI_/.test(code)) return "Its name leads nowhere (DNS)."
  if (code === "ECONNREFUSED") return "Nothing listens there."
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(code)) return "Its certificate is not valid."
  if (/ECONNRESET|EPIPE|ENDED/.test(code)) return "It closed the connection."
  if (/EHOSTUNREACH|ENETUNREACH/.test(code)) return "There is no way to it through the network."
  return `There was no connection (${code}).`
}

const answered = (status: number): string => {
  if (status === 401 || status === 403) return `It does not accept our signature, or blocks us (${status}).`
  if (status === 404 || status === 410) return `This inbox does not exist there (any more) (${status}).`
  if (status === 413) return "What it was sent was too long for it (413)."
  if (status === 429) return "It was asked too often (429)."
  if (status >= 300 && status < 400) return `It sends us elsewhere, which deliveries do not follow (${status}).`
  if ((status >= 502 && status <= 504) || (status >= 520 && status <= 530)) {
    return `What stands before it does not reach it: it is down or has too much to do (${status}).`
  }
  if (status >= 500) return `Something went wrong on its side (${status}).`
  return `It answered ${status}.`
}

/** The words of a failed delivery (`FetchError`, or an answer) for people; what is unknown is shown as it is. */
export const errorText = (error: string): string => {
  const status = /^The inbox answered (\d{3})\.$/.exec(error)
  if (status !== null) return answered(Number(status[1]))
  const [, kind = "", fields = ""] = /: ([A-Za-z]+) (\{.*)$/.exec(error) ?? []
  switch (kind) {
    case "Unreachable":
      return unreachable(/"code":"([^"]*)"/.exec(fields)?.[1] ?? "unknown")
    case "TimedOut":
      return "It did not answer in time."
    case "Refused":
      return "Its address is one this instance may not talk to."
    case "Busy":
      return "This instance has too much to do itself."
    default:
      return error
  }
}

const lanes = [
  ["follows", "follow or answer to one", "follows and answers to them"],
  ["content", "post, change or deletion", "posts, changes and deletions"],
  ["ratings", "rating", "ratings"],
  ["views", "view", "views"]
] as const

/** How much of what waits; undefined when nothing does. */
export const waitingText = (host: Pick<Host, "waiting" | "waitingByLane">): string | undefined =>
  host.waiting === 0
    ? undefined
    : lanes
        .filter(([lane]) => host.waitingByLane[lane] > 0)
        .map(([lane, one, many]) => counted(host.waitingByLane[lane], one, many))
        .join(", ")
