import { CustomConfig } from "@kinora/domain/wire/CustomConfig"
import { Duration, type Schema, SchemaAST } from "effect"
import { leafAt } from "../../platform/config/RuntimeConfig.ts"
import { type ConfigTree, flatKeys } from "../../platform/config/Keys.ts"
import type { FlatKey } from "../../platform/config/kinds/Key.ts"

/** A setting that administrators change while the instance runs. */
export interface CustomSetting {
  /** Path in `CustomConfig`: `signup.requiresApproval`. */
  readonly name: string
  /** Path in the configuration: `signup.requires_approval`. */
  readonly path: string
  readonly flat: FlatKey
}

const irregular: Readonly<Record<string, string>> = {
  isNSFW: "is_nsfw",
  defaultNSFWPolicy: "default_nsfw_policy"
}

const snakeCase = (name: string): string =>
  irregular[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Members of a structure; undefined for a leaf. */
const membersOf = (schema: Schema.Top): Readonly<Record<string, Schema.Top>> | undefined =>
  SchemaAST.isObjects(schema.ast) && "fields" in schema
    ? (schema.fields as Readonly<Record<string, Schema.Top>>)
    : undefined

const leaves = (schema: Schema.Top, prefix: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const members = membersOf(schema)
  return members === undefined
    ? [prefix]
    : Object.entries(members).flatMap(([name, member]) => leaves(member, [...prefix, name]))
}

const byPath = new Map(flatKeys.map((flat) => [flat.path, flat]))

/** Every setting of `CustomConfig`, in its order. The names follow from those of the keys. */
export const customSettings: ReadonlyArray<CustomSetting> = leaves(CustomConfig, []).map((names) => {
  const path = names.map(snakeCase).join(".")
  const flat = byPath.get(path)
  if (flat === undefined) throw new Error(`no configuration key ${path}`)
  return { name: names.join("."), path, flat }
})

/** Lists that are null when nothing was chosen; clients expect an empty list. */
const emptyLists: ReadonlySet<string> = new Set(["instance.languages", "instance.categories"])

/** A decoded value as JSON: durations are milliseconds. */
export const wireValue = (path: string, value: unknown): unknown => {
  if (Duration.isDuration(value)) return Duration.isFinite(value) ? Duration.toMillis(value) : -1
  return value === null && emptyLists.has(path) ? [] : value
}

/** The settings as they are in a configuration (contract: CustomConfig). */
export const customConfigWire = (tree: ConfigTree): CustomConfig => {
  const wire: Record<string, unknown> = {}
  for (const { name, path } of customSettings) {
    const names = name.split(".")
    const last = names.pop() ?? ""
    let group = wire
    for (const part of names) group = (group[part] ??= {}) as Record<string, unknown>
    group[last] = wireValue(path, leafAt(tree, path))
  }
  return wire as unknown as CustomConfig
}
