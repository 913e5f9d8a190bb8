import { Clock, Console, Effect } from "effect"

const every = 5000

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const

/** `12.3 GiB` */
export const inUnits = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** Says on standard error, now and then, how far long work has come. */
export const makeProgress = Effect.fnUntraced(function* (what: string, total: number | undefined) {
  let said = yield* Clock.currentTimeMillis
  let bytes = 0
  let files = 0
  const text = () => {
    const share = total === undefined || total === 0 ? "" : `, ${Math.floor((100 * bytes) / total)} %`
    return `${what}: ${files === 0 ? "" : `${files} files, `}${inUnits(bytes)}${share}`
  }
  const say = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - said < every) return
    said = now
    yield* Console.error(text())
  })
  return {
    /** Counts a file that is done. */
    file: (size: number) =>
      Effect.suspend(() => {
        files++
        bytes += size
        return say
      }),
    /** Counts bytes of one large file. */
    bytes: (more: number): void => {
      bytes += more
    },
    /** Says it when it is time to. */
    say
  }
})
