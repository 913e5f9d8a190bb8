import { Effect } from "effect"
import { safeCueLine, safeSubRipLine } from "./CaptionText.ts"

const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s+(.*))?$`)

/** Settings of a cue (W3C WebVTT 1, 4.4). Regions are left out, since their definitions are removed. */
const setting =
  /^(?:vertical:(?:rl|lr)|line:-?\d{1,4}(?:\.\d{1,4})?%?(?:,(?:start|center|end))?|position:\d{1,3}(?:\.\d{1,4})?%(?:,(?:line-left|center|line-right))?|size:\d{1,3}(?:\.\d{1,4})?%|align:(?:start|center|end|left|right))$/

const two = (value: number): string => String(value).padStart(2, "0")

/** Milliseconds of a timestamp. Undefined if it is not valid. */
const millis = (hours = "0", minutes = "", seconds = "", fraction = ""): number | undefined => {
  const [m, s] = [Number(minutes), Number(seconds)]
  return m > 59 || s > 59 ? undefined : ((Number(hours) * 60 + m) * 60 + s) * 1000 + Number(fraction.padEnd(3, "0"))
}

const stamp = (at: number): string => {
  const seconds = Math.floor(at / 1000)
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${clock}.${String(at % 1000).padStart(3, "0")}`
}

/** Limits for lines per cue and characters per line: more than a video frame can show. */
const maxLines = 50
const maxLine = 1000

/** One cue, rewritten. Undefined if the block is not a valid cue, such as notes, styles and regions. */
const cueOf = (block: string, safe: (line: string) => string): string | undefined => {
  const lines = block.split("\n")
  // The timing is in the first line, or in the second after the cue's number or name.
  const at = lines.slice(0, 2).findIndex((line) => line.includes("-->"))
  const match = at === -1 ? null : timing.exec(lines[at]!.slice(0, 500))
  if (match === null) return undefined
  const [, h1, m1, s1, f1, h2, m2, s2, f2, given = ""] = match
  const [start, end] = [millis(h1, m1, s1, f1), millis(h2, m2, s2, f2)]
  if (start === undefined || end === undefined || end <= start) return undefined
  const text = lines
    .slice(at + 1, at + 1 + maxLines)
    .map((line) => safe(line.slice(0, maxLine)).trimEnd())
    .filter((line) => line !== "")
  if (text.length === 0) return undefined
  const settings = given.split(/\s+/).filter((one) => setting.test(one))
  return `${[`${stamp(start)} --> ${stamp(end)}`, ...settings].join(" ")}\n${text.join("\n")}\n`
}

/** Characters between two yields to other fibers: captions may be long. */
const stride = 64 * 1024

/**
 * Reads WebVTT or SubRip, distinguished by the first line, and writes WebVTT with only cues: their times, positions and
 * text with the tags that WebVTT has. Undefined if it contains no cue.
 */
export const toWebVtt = Effect.fn("WebVtt.toWebVtt")(function* (text: string) {
  const plain = text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n")
  const safe = /^WEBVTT(?:[ \t\n]|$)/.test(plain) ? safeCueLine : safeSubRipLine
  const cues: Array<string> = []
  let position = 0
  let looked = 0
  while (position < plain.length) {
    const gap = plain.indexOf("\n\n", position)
    const end = gap === -1 ? plain.length : gap
    const cue = cueOf(plain.slice(position, end).replace(/^\n+/, ""), safe)
    if (cue !== undefined) cues.push(cue)
    position = end + 2
    if (position - looked < stride) continue
    looked = position
    yield* Effect.yieldNow
  }
  return cues.length === 0 ? undefined : `WEBVTT\n\n${cues.join("\n")}`
})
