import { Result } from "effect"

/**
 * Queries and forms as trees: `a=1&a=2`, `a[]=1` and `a[0]=1` are lists, `a[b]=1` is an object, in queries, urlencoded
 * and multipart forms alike (contract README, "Habits of clients"). Caps are applied before anything is built, and
 * names that reach into prototypes are refused.
 */

export type FormValue = string | Array<FormValue> | { [key: string]: FormValue }
export type FormTree = { [key: string]: FormValue }

/** Fields a query or form may have, and levels a name may nest (`a[b][c]` is two). */
export const formCaps = { fields: 1000, depth: 3 } as const

const forbidden = new Set(["__proto__", "constructor", "prototype"])

/** Steps of a name: `a[b][]` gives `["a", "b", ""]`; undefined when it is malformed. */
const stepsOf = (name: string): Array<string> | undefined => {
  const open = name.indexOf("[")
  if (open === -1) return [name]
  const steps = [name.slice(0, open)]
  let at = open
  while (at < name.length) {
    const close = name.indexOf("]", at)
    if (name[at] !== "[" || close === -1) return undefined
    steps.push(name.slice(at + 1, close))
    at = close + 1
  }
  return steps
}

const isIndex = (step: string): boolean => step === "" || /^\d{1,4}$/.test(step)

const put = (parent: FormTree, key: string, rest: ReadonlyArray<string>, value: string): void => {
  const existing = Object.hasOwn(parent, key) ? parent[key] : undefined
  if (rest.length === 0) {
    if (existing === undefined) parent[key] = value
    else if (Array.isArray(existing)) existing.push(value)
    else parent[key] = [existing, value]
    return
  }
  const [step, ...after] = rest as [string, ...Array<string>]
  if (isIndex(step)) {
    const list = existing === undefined ? [] : Array.isArray(existing) ? existing : [existing]
    parent[key] = list
    if (after.length === 0) list.push(value)
    else putInList(list, step, after, value)
    return
  }
  const child: FormTree =
    existing !== undefined && typeof existing === "object" && !Array.isArray(existing) ? existing : {}
  parent[key] = child
  put(child, step, after, value)
}

/** Objects of a list are told apart by their index; without one each field begins a new object. */
const putInList = (list: Array<FormValue>, step: string, after: ReadonlyArray<string>, value: string): void => {
  const index = step === "" ? list.length : Math.min(Number(step), list.length)
  const item = list[index]
  const child: FormTree = item !== undefined && typeof item === "object" && !Array.isArray(item) ? item : {}
  list[index] = child
  put(child, after[0]!, after.slice(1), value)
}

/**
 * Builds the tree of the fields in the order they came; fails with the reason when the form is beyond its caps.
 *
 * @param fields names as sent (decoded) with their texts
 */
export const formTree = (fields: Iterable<readonly [name: string, value: string]>): Result.Result<FormTree, string> => {
  const tree: FormTree = {}
  let count = 0
  for (const [name, value] of fields) {
    if (++count > formCaps.fields) return Result.fail(`Too many fields (max: ${formCaps.fields})`)
    const steps = stepsOf(name)
    if (steps === undefined || steps[0] === "") continue
    if (steps.length > formCaps.depth + 1) return Result.fail(`Fields are nested too deep (max: ${formCaps.depth})`)
    if (steps.some((step) => forbidden.has(step))) return Result.fail("A field has a name that is not allowed")
    put(tree, steps[0]!, steps.slice(1), value)
  }
  return Result.succeed(tree)
}
