import { Equal, Result } from "effect"
import type { ConfigProblem } from "./ConfigInvalid.ts"
import { flatKeys } from "./Keys.ts"
import type { Written } from "./Source.ts"
import { missingFeatureOf } from "./WithoutReader.ts"

/** What the operator switched on although the program cannot do it. */
export interface Ineffective {
  /** Settings nobody may rely on: the program does not start with them. */
  readonly problems: ReadonlyArray<ConfigProblem>
  readonly warnings: ReadonlyArray<string>
}

/** Finds settings of features the program does not have among those that some source set. */
export const findIneffective = (set: ReadonlyMap<string, Written>): Ineffective => {
  const problems: Array<ConfigProblem> = []
  const warnings: Array<string> = []
  for (const { key, path } of flatKeys) {
    const written = set.get(path)
    const missing = written === undefined ? undefined : missingFeatureOf(path)
    if (written === undefined || missing === undefined) continue
    if (missing.switch !== undefined && missing.switch !== path) continue
    const read = key.kind.read(written.value)
    if (Result.isFailure(read) || Equal.equals(read, key.kind.read(key.written))) continue
    const { danger, feature } = missing
    if (danger === undefined) {
      warnings.push(`${path} (${written.origin}) has no effect: Kinora has no ${feature} yet`)
    } else {
      problems.push({
        path,
        origin: written.origin,
        problem: `Kinora has no ${feature} yet, and ${danger}`,
        accepts: `${key.written} (remove the setting)`
      })
    }
  }
  return { problems, warnings }
}
