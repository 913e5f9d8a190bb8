import { Context, Effect, Equal, PubSub, Result, type Scope } from "effect"
import type { ConfigInvalid } from "./ConfigInvalid.ts"
import type { Configuration, ConfigSources } from "./Configuration.ts"
import { decode } from "./Decode.ts"
import { type ConfigTree, flatKeys } from "./Keys.ts"
import type { Source, Written } from "./Source.ts"

/** Settings of administrators: values by dotted path, in the form a file would have them. */
export type RuntimeValues = ReadonlyMap<string, unknown>

/** How reports name the place of these settings. */
const databaseOrigin = "the settings of administrators"

const sourceOf = (values: RuntimeValues): Source => ({
  values: new Map([...values].map(([path, value]) => [path, { value, origin: databaseOrigin }])),
  warnings: [],
  problems: []
})

/** The decoded value of a key; undefined where the path leads nowhere. */
export const leafAt = (tree: ConfigTree, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (node, name) => (typeof node === "object" && node !== null ? (node as Record<string, unknown>)[name] : undefined),
      tree
    )

/** Writes a leaf into the live tree. All its readers see it from then on. */
const setLeaf = (tree: Configuration, path: string, value: unknown): void => {
  const names = path.split(".")
  const last = names.pop() ?? ""
  const group = leafAt(tree, names.join(".")) as Record<string, unknown>
  group[last] = value
}

/**
 * Changes the live configuration of this process. The settings stand above the file and below the environment, so an
 * operator pins a key by an environment variable.
 */
export class RuntimeConfig extends Context.Service<
  RuntimeConfig,
  {
    /** Where the environment sets a key. Such a key is pinned: settings do not change it. */
    readonly pinned: (path: string) => Written | undefined
    /** Where the value of a key comes from without these settings: `default`, a line of the file, a variable. */
    readonly originOf: (path: string) => string
    /** The configuration that these settings would give, and which sources set a key. Reports all that cannot be read. */
    readonly preview: (values: RuntimeValues) => Result.Result<ConfigTree, ConfigInvalid>
    /** Makes these settings hold in place of the former ones; gives the paths whose values changed. */
    readonly apply: (values: RuntimeValues) => Effect.Effect<ReadonlySet<string>, ConfigInvalid>
    /** A value made of the configuration. It is made again after settings changed. */
    readonly derived: <A>(make: () => A) => () => A
    /** Has derived values made again: something besides the configuration that they show has changed. */
    readonly touch: Effect.Effect<void>
    /** Paths that changed, each time some do. */
    readonly changes: Effect.Effect<PubSub.Subscription<ReadonlySet<string>>, never, Scope.Scope>
  }
>()("@kinora/node/config/RuntimeConfig") {}

/** For `KinoraConfig.layer`, which is beside it wherever it is needed. */
export const makeRuntimeConfig = Effect.fnUntraced(function* (live: Configuration, sources: ConfigSources) {
  const { environment, file } = sources
  const changed = yield* PubSub.sliding<ReadonlySet<string>>(64)
  const below = file === undefined ? [] : [file]
  /** What the settings changed so far: it goes back when they do. */
  let applied = new Set<string>()
  let revision = 0

  const preview = (values: RuntimeValues) =>
    Result.map(decode([...below, sourceOf(values), environment]), ({ tree }) => tree)

  const apply = Effect.fn("RuntimeConfig.apply")(function* (values: RuntimeValues) {
    const tree = yield* Effect.fromResult(preview(values))
    const paths = new Set<string>()
    for (const path of new Set([...applied, ...values.keys()])) {
      const value = leafAt(tree, path)
      if (Equal.equals(value, leafAt(live, path))) continue
      setLeaf(live, path, value)
      paths.add(path)
    }
    applied = new Set(values.keys())
    revision += 1
    if (paths.size > 0) yield* PubSub.publish(changed, paths)
    return paths
  })

  const derived = <A>(make: () => A) => {
    let kept: { readonly value: A; readonly revision: number } | undefined
    return () => {
      if (kept?.revision !== revision) kept = { value: make(), revision }
      return kept.value
    }
  }

  return RuntimeConfig.of({
    derived,
    pinned: (path) => environment.values.get(path),
    originOf: (path) => environment.values.get(path)?.origin ?? file?.values.get(path)?.origin ?? "default",
    preview,
    touch: Effect.sync(() => void (revision += 1)),
    apply,
    changes: PubSub.subscribe(changed)
  })
})

const known = new Set(flatKeys.map(({ path }) => path))

/** Whether there is such a key. Settings that a newer or older version stored are passed over. */
export const isKey = (path: string): boolean => known.has(path)
