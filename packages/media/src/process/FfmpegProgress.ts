/**
 * The progress of an encode. `fraction` runs from 0 to 1 and never backwards; `seconds` is the media time written so
 * far.
 */
export interface Progress {
  readonly fraction: number
  readonly frame: number
  readonly fps: number
  /** Media seconds per wall-clock second; 0 while unknown. */
  readonly speed: number
  readonly seconds: number
}

const noProgress: Progress = { fraction: 0, frame: 0, fps: 0, speed: 0, seconds: 0 }

const number = (text: string): number => {
  const value = Number.parseFloat(text)
  return Number.isFinite(value) && value >= 0 ? value : 0
}

/** State of reading ffmpeg's `-progress` output: `key=value` lines, a block ends with `progress=`. */
export interface ProgressReading {
  readonly block: ReadonlyMap<string, string>
  readonly last: Progress
}

export const initialReading: ProgressReading = { block: new Map(), last: noProgress }

/**
 * Takes one line of `-progress` output. Returns the next state, and a report if a block is complete. `total` is the
 * length of the media in seconds. The final block (`progress=end`) reports 1.
 */
export const readProgressLine =
  (total: number) =>
  (state: ProgressReading, line: string): readonly [ProgressReading, ReadonlyArray<Progress>] => {
    const separator = line.indexOf("=")
    if (separator < 1) return [state, []]
    const key = line.slice(0, separator)
    const value = line.slice(separator + 1).trim()
    if (key !== "progress") return [{ ...state, block: new Map(state.block).set(key, value) }, []]
    const seconds = Math.max(state.last.seconds, number(state.block.get("out_time_us") ?? "") / 1_000_000)
    const fraction = value === "end" ? 1 : Math.min(0.999, total > 0 ? seconds / total : 0)
    const report: Progress = {
      fraction: Math.max(state.last.fraction, fraction),
      frame: Math.max(state.last.frame, number(state.block.get("frame") ?? "")),
      fps: number(state.block.get("fps") ?? ""),
      speed: number(state.block.get("speed") ?? ""),
      seconds
    }
    return [{ block: new Map(), last: report }, [report]]
  }
