import { type ConfigProvider, Effect } from "effect"
import { flatKeys, shortForms } from "./Keys.ts"
import { nearest } from "@kinora/domain/text/Nearest"
import { type Source, unknownKey, type Written } from "./Source.ts"

const pathsByName: ReadonlyMap<string, string> = new Map(flatKeys.map(({ env, path }) => [env, path]))

/** Names that are read elsewhere and are no keys of the tree. */
const others: ReadonlySet<string> = new Set(["KINORA_CONFIG"])

/** Every variable below a prefix. A provider keeps names split at `_`, so the tree is walked. */
const variables = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<readonly [name: string, value: string]>, ConfigProvider.SourceError> =>
  Effect.flatMap(provider.load(path), (node) => {
    if (node === undefined) return Effect.succeed([])
    const own: ReadonlyArray<readonly [string, string]> = node.value === undefined ? [] : [[path.join("_"), node.value]]
    const below =
      node._tag === "Record"
        ? [...node.keys]
        : node._tag === "Array"
          ? Array.from({ length: node.length }, (_, index) => String(index))
          : []
    return Effect.map(
      Effect.forEach(below, (segment) => variables(provider, [...path, segment])),
      (found) => [...own, ...found.flat()]
    )
  })

/**
 * Reads `KINORA_*` and the short forms from the current `ConfigProvider`. An empty variable counts as not set;
 * a `KINORA_*` name wins over its short form.
 */
export const readEnvironment = Effect.fnUntraced(function* (
  provider: ConfigProvider.ConfigProvider
): Effect.fn.Return<Source, ConfigProvider.SourceError> {
  const values = new Map<string, Written>()
  const warnings: Array<string> = []
  for (const [name, path] of Object.entries(shortForms)) {
    const node = yield* provider.load([name])
    if (node?.value !== undefined) values.set(path, { value: node.value, origin: `environment, ${name}` })
  }
  for (const [name, value] of yield* variables(provider, ["KINORA"])) {
    const path = pathsByName.get(name)
    if (path !== undefined) values.set(path, { value, origin: `environment, ${name}` })
    else if (!others.has(name)) {
      warnings.push(unknownKey(name, "environment", nearest(name, pathsByName.keys())))
    }
  }
  return { values, warnings, problems: [] }
})
