/** A cue of subtitles: when it is shown, in seconds, and its text without marks. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

const time = /(?:(\d+):)?(\d{2}):(\d{2})\.(\d{3})/
const timing = new RegExp(`^${time.source}\\s+-->\\s+${time.source}`)

const secondsOf = (parts: ReadonlyArray<string | undefined>): number =>
  Number(parts[0] ?? 0) * 3600 + Number(parts[1]) * 60 + Number(parts[2]) + Number(parts[3]) / 1000

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
  "&lrm;": "",
  "&rlm;": ""
}

const plain = (text: string): string =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/&[a-z]+;/g, (it) => entities[it] ?? it)
    .replace(/\s+/g, " ")
    .trim()

/** The cues of a WebVTT file (W3C WebVTT, 4.1), in their order; what is no cue is left out. Repeated lines count once. */
export const cuesOf = (file: string): ReadonlyArray<Cue> => {
  const found: Array<Cue> = []
  for (const block of file.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    const lines = block.split("\n")
    const at = lines.findIndex((it) => it.includes("-->"))
    const match = at < 0 ? null : timing.exec(lines[at]!.trim())
    if (match === null) continue
    const text = plain(lines.slice(at + 1).join("\n"))
    if (text === "" || text === found.at(-1)?.text) continue
    found.push({ start: secondsOf(match.slice(1, 5)), end: secondsOf(match.slice(5, 9)), text })
  }
  return found
}

/** Text for comparing: without accents, in small letters. */
export const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
