import { Equal, Result } from "effect"
import { flatKeys } from "./Keys.ts"
import type { Written } from "./Source.ts"
import { missingFeatureOf } from "./WithoutReader.ts"

/** Warns of settings, among those that some source set, of features that the program does not have. */
export const findIneffective = (set: ReadonlyMap<string, Written>): ReadonlyArray<string> => {
  const warnings: Array<string> = []
  for (const { key, path } of flatKeys) {
    const written = set.get(path)
    const missing = written === undefined ? undefined : missingFeatureOf(path)
    if (written === undefined || missing === undefined) continue
    if (missing.switch !== undefined && missing.switch !== path) continue
    const read = key.kind.read(written.value)
    if (Result.isFailure(read) || Equal.equals(read, key.kind.read(key.written))) continue
    warnings.push(`${path} (${written.origin}) has no effect: Kinora has no ${missing.feature} yet`)
  }
  return warnings
}
