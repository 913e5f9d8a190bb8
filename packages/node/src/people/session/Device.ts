const longest = 100

/** The order matters: most browsers name others besides themselves. */
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

const named = (list: ReadonlyArray<readonly [RegExp, string]>, text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1]

/** The first product of a user agent: `yt-dlp/2026.01.01` becomes "yt-dlp 2026.01.01". */
const product = (text: string): string | undefined => {
  const found = /^([\p{L}\p{N}][\p{L}\p{N} ._+-]{0,60})(?:\/([\w.+-]{1,30}))?/u.exec(text)
  return found === null ? undefined : `${found[1]!.trim()}${found[2] === undefined ? "" : ` ${found[2]}`}`
}

/**
 * A device name that people recognise in the list of their sessions, from the User-Agent header: "Firefox on Linux",
 * "iOS", "curl 8.5.0". Null if the header says nothing useful. At most 100 characters.
 */
export const deviceOf = (userAgent: string | undefined): string | null => {
  if (userAgent === undefined) return null
  const text = userAgent.slice(0, 500)
  const browser = named(browsers, text)
  const system = named(systems, text)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const other = text.startsWith("Mozilla/") ? undefined : product(text)
  const name = other === undefined || system === undefined ? (other ?? system) : `${other} on ${system}`
  return name === undefined ? null : name.slice(0, longest)
}
