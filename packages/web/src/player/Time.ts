const pad = (n: number) => String(n).padStart(2, "0")

/** Seconds as a clock: `0:07`, `12:34`, `1:02:03`. */
export const formatClock = (seconds: number): string => {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** Seconds as spoken by a screen reader: `1 minute 5 seconds`. */
export const spokenTime = (seconds: number): string => {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0
  const parts: Array<[number, string]> = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor((whole % 3600) / 60), "minute"],
    [whole % 60, "second"]
  ]
  const said = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}${n === 1 ? "" : "s"}`)
  return said.length === 0 ? "0 seconds" : said.join(" ")
}

/** A start time from an address: `90`, `90s`, `1m30s`, `1h2m3s` or `1:30`. Anything else is `undefined`. */
export const parseTime = (text: string | null): number | undefined => {
  if (text === null || text.length > 12) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2})$/.exec(text)
  if (clock !== null) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text)
  if (units === null || text === "") return undefined
  return Number(units[1] ?? 0) * 3600 + Number(units[2] ?? 0) * 60 + Number(units[3] ?? 0)
}
