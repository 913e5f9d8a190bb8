import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"

const t = text("logs")

type ServerLine = Output<"GET /api/v1/server/logs">[number]
type AuditLine = Output<"GET /api/v1/server/audit-logs">[number]

/** A line of either log, as it is shown. */
export interface Line {
  readonly key: string
  readonly time: string
  readonly label: string
  readonly kind: "plain" | "good" | "warn" | "bad"
  readonly message: string
  readonly tags: ReadonlyArray<string>
  /** All that is known of it. */
  readonly facts: unknown
}

const kinds = { debug: "plain", info: "plain", warn: "warn", error: "bad" } as const

/** Lines that are alike have keys of their own: their number among those of the same time and words. */
const keyed = (lines: ReadonlyArray<Omit<Line, "key">>): ReadonlyArray<Line> => {
  const seen = new Map<string, number>()
  return lines.map((it) => {
    const name = `${it.time} ${it.label} ${it.message}`
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return { ...it, key: `${name} ${count}` }
  })
}

/** Lines of the node's log. */
export const serverLines = (rows: ReadonlyArray<ServerLine>): ReadonlyArray<Line> =>
  keyed(
    rows.map((it) => ({
      time: it.timestamp,
      label: it.level,
      kind: kinds[it.level],
      message: it.message,
      tags: it.tags,
      facts: it
    }))
  )

/** What was administered: who did what to which kind of thing. */
export const auditLines = (rows: ReadonlyArray<AuditLine>): ReadonlyArray<Line> =>
  keyed(
    rows.map((it) => ({
      time: it.timestamp,
      label: it.domain,
      kind: "good",
      message: t("did", { who: it.user ?? t("operator"), action: it.action, domain: it.domain }),
      tags: [],
      facts: it
    }))
  )

/** The line as text, to copy. */
export const textOf = (line: Line): string => JSON.stringify(line.facts)

/** Whether a line has what was searched for somewhere. */
export const has = (line: Line, search: string): boolean =>
  `${line.message} ${textOf(line)}`.toLowerCase().includes(search.toLowerCase())

/** Spans of time before now, in milliseconds, by their name in the address. */
const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
export type Span = keyof typeof spans
export const spanNames: ReadonlyArray<Span> = ["hour", "day", "week"]

/** When the span begins, as the API takes it. */
export const startOf = (span: Span | undefined): string | undefined =>
  span === undefined ? undefined : new Date(Date.now() - spans[span]).toISOString()
