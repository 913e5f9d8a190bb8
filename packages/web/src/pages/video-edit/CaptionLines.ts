/** What is wrong with captions, and in which line, counted from 1. */
export interface CaptionProblem {
  readonly line: number
  readonly problem: "header" | "time" | "order" | "text"
}

/** What the file of captions that nobody wrote yet begins with. */
export const emptyCaptions = "WEBVTT\n\n"

const time = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})`
const timing = new RegExp(String.raw`^${time}\s+-->\s+${time}(?:\s.*)?$`)

const secondsOf = (parts: ReadonlyArray<string | undefined>): number =>
  Number(parts[0] ?? 0) * 3600 + Number(parts[1]) * 60 + Number(parts[2]) + Number(parts[3]) / 1000

const timesOf = (line: string): readonly [start: number, end: number] | undefined => {
  const found = timing.exec(line.trim())
  return found === null ? undefined : [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))]
}

/** The first thing that keeps a text from being WebVTT that players read (W3C WebVTT, 4.1); undefined when all is well. */
export const captionProblem = (text: string): CaptionProblem | undefined => {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/)
  if (!/^WEBVTT(?:[ \t].*)?$/.test(lines[0] ?? "")) return { line: 1, problem: "header" }
  for (const [i, line] of lines.entries()) {
    if (!line.includes("-->")) continue
    const times = timesOf(line)
    if (times === undefined) return { line: i + 1, problem: "time" }
    if (times[1] <= times[0]) return { line: i + 1, problem: "order" }
    if ((lines[i + 1] ?? "").trim() === "") return { line: i + 1, problem: "text" }
  }
  return undefined
}

/** When the cue begins in which the character at `offset` is, in seconds; undefined outside of cues. */
export const cueStartAt = (text: string, offset: number): number | undefined => {
  const before = text.lastIndexOf("\n\n", Math.max(0, offset - 1))
  const after = text.indexOf("\n\n", offset)
  const block = text.slice(before < 0 ? 0 : before, after < 0 ? text.length : after)
  return block
    .split("\n")
    .map(timesOf)
    .find((it) => it !== undefined)?.[0]
}

/** `00:01:02.500`, from seconds. */
const cueTime = (seconds: number): string => {
  const thousandths = Math.max(0, Math.round(seconds * 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0")
  const hours = thousandths / 3_600_000
  const rest = `${two((thousandths / 60_000) % 60)}:${two((thousandths / 1000) % 60)}.${String(thousandths % 1000).padStart(3, "0")}`
  return `${two(hours)}:${rest}`
}

/** The text with a new cue of `seconds` seconds at its end, from `start` on, and where its words are written. */
export const withCue = (
  text: string,
  start: number,
  seconds: number
): { readonly text: string; readonly at: number } => {
  const added = `${text.trimEnd()}\n\n${cueTime(start)} --> ${cueTime(start + seconds)}\n`
  return { text: added, at: added.length }
}
