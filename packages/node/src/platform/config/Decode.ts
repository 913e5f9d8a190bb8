import { Result } from "effect"
import { ConfigInvalid, type ConfigProblem } from "./ConfigInvalid.ts"
import { type ConfigTree, flatKeys } from "./Keys.ts"
import type { Source, Written } from "./Source.ts"

/** A decoded tree and the paths that some source set. */
export interface Settled {
  readonly tree: ConfigTree
  readonly set: ReadonlyMap<string, Written>
}

const place = (tree: Record<string, unknown>, path: ReadonlyArray<string>, value: unknown): void => {
  const [name = "", ...rest] = path
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  const below = (tree[name] ??= {}) as Record<string, unknown>
  place(below, rest, value)
}

/** Decodes every key from the last source that sets it, else from its default; reports all that cannot be read. */
export const decode = (sources: ReadonlyArray<Source>): Result.Result<Settled, ConfigInvalid> => {
  const problems: Array<ConfigProblem> = sources.flatMap((source) => source.problems)
  const tree: Record<string, unknown> = {}
  const set = new Map<string, Written>()
  for (const { key, path } of flatKeys) {
    let found: Written | undefined
    for (const source of sources) found = source.values.get(path) ?? found
    if (found !== undefined) set.set(path, found)
    const read = key.kind.read(found === undefined ? key.written : found.value)
    if (Result.isSuccess(read)) place(tree, path.split("."), read.success)
    else {
      problems.push({
        path,
        origin: found?.origin ?? "default",
        problem: key.kind.secret ? "the value (not shown) cannot be read" : read.failure,
        accepts: key.kind.accepts
      })
    }
  }
  return problems.length > 0
    ? Result.fail(new ConfigInvalid({ problems }))
    : Result.succeed({ tree: tree as unknown as ConfigTree, set })
}
