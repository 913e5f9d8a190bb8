import { Duration, Result } from "effect"
import { type Kind, make, show } from "./Kind.ts"

const milliseconds: ReadonlyArray<readonly [names: RegExp, factor: number]> = [
  [/^(ms|millis|milliseconds?)$/, 1],
  [/^(s|secs?|seconds?)$/, 1000],
  [/^(m|mins?|minutes?)$/, 60_000],
  [/^(h|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000],
  [/^(w|weeks?)$/, 604_800_000],
  [/^months?$/, 30 * 86_400_000],
  [/^(y|years?)$/, 365 * 86_400_000]
]

/** A sum of `<number> <unit>` parts in the base unit, or the first part that cannot be read. */
const addUp = (
  value: string,
  units: ReadonlyArray<readonly [RegExp, number]>,
  bare: number
): Result.Result<number, string> => {
  const source = value.trim().toLowerCase()
  if (/^\d+(\.\d+)?$/.test(source)) return Result.succeed(Number(source) * bare)
  if (!/^(\d+(\.\d+)?\s*[a-z]+[\s,]*)+$/.test(source)) return Result.fail(`${show(value)} cannot be read`)
  let total = 0
  for (const [, amount, unit] of source.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const factor = units.find(([names]) => names.test(unit ?? ""))?.[1]
    if (factor === undefined) return Result.fail(`${show(value)} has the unknown unit "${unit}"`)
    total += Number(amount) * factor
  }
  return Result.succeed(total)
}

const readDuration = (input: unknown): Result.Result<Duration.Duration, string> => {
  if (typeof input === "number") {
    return Number.isFinite(input) && input >= 0
      ? Result.succeed(Duration.millis(input))
      : Result.fail(`${input} is negative`)
  }
  return typeof input === "string"
    ? Result.map(addUp(input, milliseconds, 1), (millis) => Duration.millis(millis))
    : Result.fail(`${show(input)} is not a duration`)
}

const durationForm = 'a duration such as "10 seconds", "5 minutes", "1 day", "2 weeks" (a bare number is milliseconds)'

/** A length of time. Months have 30 days and years 365. */
export const duration: Kind<Duration.Duration, string | number> = make({
  accepts: durationForm,
  nixType: "either str int",
  read: readDuration
})

/** A length of time, or `-1` for no end (`Duration.infinity`). */
export const durationOrForever: Kind<Duration.Duration, string | number> = make({
  accepts: `${durationForm}, or -1 for no limit`,
  nixType: "either str int",
  read: (input) =>
    input === -1 || (typeof input === "string" && input.trim() === "-1")
      ? Result.succeed(Duration.infinity)
      : readDuration(input)
})

// Operators of this tree know 1 KB as 1024 bytes, so both spellings mean powers of 1024.
const bytes: ReadonlyArray<readonly [names: RegExp, factor: number]> = [
  [/^b(ytes?)?$/, 1],
  [/^(k|kb|kib)$/, 1024],
  [/^(m|mb|mib)$/, 1024 ** 2],
  [/^(g|gb|gib)$/, 1024 ** 3],
  [/^(t|tb|tib)$/, 1024 ** 4],
  [/^(p|pb|pib)$/, 1024 ** 5]
]

const readSize = (input: unknown): Result.Result<number, string> => {
  const total =
    typeof input === "number"
      ? Result.succeed(input)
      : typeof input === "string"
        ? Result.map(addUp(input, bytes, 1), Math.floor)
        : Result.fail(`${show(input)} is not a size`)
  return Result.flatMap(total, (size) =>
    Number.isSafeInteger(size) && size >= 0
      ? Result.succeed(size)
      : Result.fail(`${show(input)} is not a size between 0 and 8 PB`)
  )
}

const sizeForm = 'a size such as "500MB" or "10GB" (1 KB is 1024 bytes; a bare number is bytes)'

/** A number of bytes. */
export const size: Kind<number, string | number> = make({
  accepts: sizeForm,
  nixType: "either str int",
  read: readSize
})

/** A number of bytes, or `-1` for no limit (kept as -1, as the wire has it). */
export const sizeOrUnlimited: Kind<number, string | number> = make({
  accepts: `${sizeForm}, or -1 for no limit`,
  nixType: "either str int",
  read: (input) =>
    input === -1 || (typeof input === "string" && input.trim() === "-1") ? Result.succeed(-1) : readSize(input)
})
