import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { ParamLocation } from "@kinora/domain/wire/ProblemDocument"

/** Most values under one name, and most names under one object. */
export const maxFieldValues = 500
/** Most brackets of a name: `chapters[0][title]` has two. */
const maxFieldDepth = 3

export type FieldValue = string | Array<FieldValue> | { [key: string]: FieldValue }
export type FieldRecord = { [key: string]: FieldValue }

const forbidden = new Set(["__proto__", "constructor", "prototype"])
const indexPattern = /^\d{1,9}$/

const refuse = (name: string, msg: string, location: ParamLocation): InvalidParameters =>
  InvalidParameters.one(name.slice(0, 100), msg, location)

/** The steps of `a[0][b]`: `["a", "0", "b"]`; undefined when the brackets do not match. */
const steps = (name: string): ReadonlyArray<string> | undefined => {
  const open = name.indexOf("[")
  if (open === -1) return [name]
  const tail = name.slice(open)
  if (open === 0 || !/^(?:\[[^[\]]*\])+$/.test(tail)) return undefined
  return [name.slice(0, open), ...tail.slice(1, -1).split("][")]
}

type Container = Map<string, Container | string> & { next?: number }

const put = (
  root: Container,
  name: string,
  values: ReadonlyArray<string>,
  location: ParamLocation
): InvalidParameters | undefined => {
  const path = steps(name) ?? [name]
  const top = path[0] as string
  if (path.length - 1 > maxFieldDepth) return refuse(top, `Should not be nested deeper than ${maxFieldDepth}`, location)
  if (path.some((step) => forbidden.has(step))) return refuse(top, "Should not have this name", location)
  if (values.length > maxFieldValues) return refuse(top, `Should not have more than ${maxFieldValues} values`, location)
  for (const value of values) {
    let container = root
    for (let i = 0; i < path.length - 1; i++) {
      const key = keyOf(container, path[i] as string)
      let inner = container.get(key)
      if (inner === undefined || typeof inner === "string") {
        const created: Container = new Map()
        if (typeof inner === "string") created.set(keyOf(created, ""), inner)
        container.set(key, created)
        inner = created
      }
      container = inner
      if (container.size > maxFieldValues) {
        return refuse(top, `Should not have more than ${maxFieldValues} values`, location)
      }
    }
    const key = keyOf(container, path[path.length - 1] as string)
    const present = container.get(key)
    if (present === undefined) container.set(key, value)
    else if (typeof present === "string") {
      const many: Container = new Map()
      many.set(keyOf(many, ""), present)
      many.set(keyOf(many, ""), value)
      container.set(key, many)
    } else {
      present.set(keyOf(present, ""), value)
      if (present.size > maxFieldValues) {
        return refuse(top, `Should not have more than ${maxFieldValues} values`, location)
      }
    }
  }
  return undefined
}

/** `[]` takes the next free index of its container. */
const keyOf = (container: Container, step: string): string => {
  if (step !== "") return step
  const next = container.next ?? 0
  container.next = next + 1
  return String(next)
}

const toValue = (entry: Container | string): FieldValue => {
  if (typeof entry === "string") return entry
  const keys = Array.from(entry.keys())
  if (keys.length > 0 && keys.every((key) => indexPattern.test(key))) {
    return Array.from(entry)
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, value]) => toValue(value))
  }
  const object = Object.create(null) as FieldRecord
  for (const [key, value] of entry) object[key] = toValue(value)
  return object
}

/**
 * Reads names with brackets as the arrays and objects clients mean by them: `a[]=1`, `a[0]=1` and `a=1&a=2` are arrays,
 * `a[b]=1` is an object (contract README, "Habits of clients"). Counts and depth are bounded and names that reach a
 * prototype are refused; the result has no prototype.
 */
export const normaliseFields = (
  entries: Iterable<readonly [name: string, value: string | ReadonlyArray<string>]>,
  location: ParamLocation
): FieldRecord | InvalidParameters => {
  const root: Container = new Map()
  for (const [name, value] of entries) {
    const refused = put(root, name, typeof value === "string" ? [value] : value, location)
    if (refused !== undefined) return refused
    if (root.size > maxFieldValues) return refuse(name, `Should not have more than ${maxFieldValues} fields`, location)
  }
  const out = Object.create(null) as FieldRecord
  for (const [name, value] of root) out[name] = toValue(value)
  return out
}
