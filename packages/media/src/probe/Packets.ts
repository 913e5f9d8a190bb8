/** Facts from the first packets of a stream. */
export interface PacketFacts {
  readonly count: number
  /** Maximum seconds between keyframes. Undefined with fewer than two. */
  readonly keyframeInterval: number | undefined
  readonly startsCut: boolean
}

/**
 * Parses ffprobe's `-show_entries packet=pts_time,flags -of csv=p=0`: lines such as `0.083,K__`. `D` in the flags marks
 * a packet that is decoded but not shown.
 */
export const readPackets = (csv: string): PacketFacts => {
  const keyframes: Array<number> = []
  let count = 0
  let last = 0
  let startsCut = false
  for (const line of csv.split("\n")) {
    const [time, flags] = line.split(",")
    if (flags === undefined) continue
    count++
    const at = Number(time)
    if (!Number.isFinite(at)) continue
    last = Math.max(last, at)
    if (count === 1 && flags.includes("D")) startsCut = true
    if (flags.includes("K")) keyframes.push(at)
  }
  const gaps = [...keyframes.slice(1), last].map((at, index) => at - (keyframes[index] ?? 0))
  return { count, keyframeInterval: keyframes.length === 0 ? undefined : Math.max(...gaps), startsCut }
}
