import { property } from "../../api/Answer.ts"
import type { Output } from "../../api/Endpoints.ts"

/** What is known of a setting besides its value. */
export type Origin = Output<"GET /api/v1/config/custom/origins">["data"][number]

/** The value of a setting by its path, as `instance.name`. */
export const valueAt = (config: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => property(at, name), config)

/** First part of the path: settings that belong together. */
export const groupOf = (path: string): string => path.split(".")[0] ?? path

type Nested = { [name: string]: unknown }

const put = (into: Nested, [first = "", ...rest]: ReadonlyArray<string>, value: unknown): void => {
  if (rest.length === 0) {
    into[first] = value
    return
  }
  const known = into[first]
  const inner: Nested = typeof known === "object" && known !== null ? { ...known } : {}
  put(inner, rest, value)
  into[first] = inner
}

/** Changed settings as the API takes them: objects within objects. */
export const bodyOf = (
  changes: Readonly<Record<string, unknown>>
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const groups: { [group: string]: Nested } = {}
  for (const [path, value] of Object.entries(changes)) {
    const [group = "", ...rest] = path.split(".")
    const inner = groups[group] ?? {}
    put(inner, rest, value)
    groups[group] = inner
  }
  return groups
}

/** What a field shows of a value that is no switch: lists have one item a line. */
export const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join("\n") : value === null || value === undefined ? "" : String(value)

/** The value that a text stands for, of the kind that the setting has now; a text that is no number is for the server to refuse. */
export const valueOf = (typed: string, before: unknown): unknown => {
  if (Array.isArray(before)) {
    const items = typed.split("\n").map((it) => it.trim())
    const filled = items.filter((it) => it !== "")
    return before.some((it) => typeof it === "number") ? filled.map(Number) : filled
  }
  if (typeof before === "number") return typed.trim() !== "" && Number.isFinite(Number(typed)) ? Number(typed) : typed
  return before === null && typed === "" ? null : typed
}

/** Whether a setting has to do with what is searched for. */
export const matches = (origin: Origin, search: string): boolean => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = `${origin.setting} ${origin.key} ${origin.description}`.toLowerCase()
  return words.every((it) => all.includes(it))
}
