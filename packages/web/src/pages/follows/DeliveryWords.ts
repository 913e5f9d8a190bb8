import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"

const t = text("follows")

/** A host as the API describes it. */
export type Host = Output<"GET /api/v1/server/federation/hosts">["data"][number]

/** The state of deliveries to a host in a word or three. */
export const stateWords = ({ state, waiting }: Pick<Host, "state" | "waiting">): string =>
  t("hostState", { state, waiting: waiting > 0 ? "some" : "none" })

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A length of time in one unit: what is exact does not matter here. */
const lengthWords = (millis: number): string => {
  if (millis < minute) return t("moments")
  if (millis < hour) return t("minutes", { count: Math.round(millis / minute) })
  if (millis < 2 * day) return t("hours", { count: Math.round(millis / hour) })
  return t("days", { count: Math.round(millis / day) })
}

/** Since when a host fails, and what becomes of what waits for it; undefined when it does not. */
export const failureWordsOf = (host: Host, now: number): string | undefined => {
  if (host.failingSince === null) return undefined
  const values = { length: lengthWords(now - Date.parse(host.failingSince)), count: host.failures }
  return host.state === "unavailable" ? t("unavailableFor", values) : t("failingFor", values)
}

/** Error codes of the system and of TLS. */
const unreachable = (code: string): string => {
  if (/ENOTFOUND|NODATA|NXDOMAIN|EAI_/.test(code)) return t("errorName")
  if (code === "ECONNREFUSED") return t("errorNobody")
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(code)) return t("errorCertificate")
  if (/ECONNRESET|EPIPE|ENDED/.test(code)) return t("errorClosed")
  if (/EHOSTUNREACH|ENETUNREACH/.test(code)) return t("errorNoWay")
  return t("errorConnection", { code })
}

/** What stands before a server answers so, where the server itself does not. */
const isOfProxy = (status: number): boolean => (status >= 502 && status <= 504) || (status >= 520 && status <= 530)

const answered = (status: number): string => {
  const code = String(status)
  if (status === 401 || status === 403) return t("errorForbidden", { code })
  if (status === 404 || status === 410) return t("errorGone", { code })
  if (status === 413) return t("errorTooLong", { code })
  if (status === 429) return t("errorTooOften", { code })
  if (status >= 300 && status < 400) return t("errorElsewhere", { code })
  if (isOfProxy(status)) return t("errorProxy", { code })
  if (status >= 500) return t("errorServer", { code })
  return t("errorAnswer", { code })
}

/** The words of a failed delivery (`FetchError`, or an answer) for people; what is unknown is shown as it is. */
export const errorWords = (error: string): string => {
  const status = /^The inbox answered (\d{3})\.$/.exec(error)
  if (status !== null) return answered(Number(status[1]))
  const [, kind = "", fields = ""] = /: ([A-Za-z]+) (\{.*)$/.exec(error) ?? []
  switch (kind) {
    case "Unreachable":
      return unreachable(/"code":"([^"]*)"/.exec(fields)?.[1] ?? "?")
    case "TimedOut":
      return t("errorTime")
    case "Refused":
      return t("errorRefused")
    case "Busy":
      return t("errorBusy")
    default:
      return error
  }
}

const lanes = ["follows", "content", "ratings", "views"] as const

/** How much of what waits; undefined when nothing does. */
export const waitingWords = ({ waiting, waitingByLane }: Pick<Host, "waiting" | "waitingByLane">): string | undefined =>
  waiting === 0
    ? undefined
    : lanes
        .filter((lane) => waitingByLane[lane] > 0)
        .map((lane) => t(`lane_${lane}`, { count: waitingByLane[lane] }))
        .join(", ")
