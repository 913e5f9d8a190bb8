import type { VideoStatsDevice } from "@kinora/domain/wire/VideoStats"

/** The viewer's software, as far as it is known. */
export interface WatchedWith {
  readonly client: string | null
  readonly device: VideoStatsDevice | null
  readonly operatingSystem: string | null
}

type Signs<A> = ReadonlyArray<readonly [sign: RegExp, name: A]>

/** The first match counts: browsers also name their ancestors. */
const clients: Signs<string> = [
  [/\bEdg(?:e|A|iOS)?\//, "Microsoft Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChromium\//, "Chromium"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.* Safari\//, "Safari"],
  [/\bVLC\b|\bLibVLC\b/, "VLC"],
  [/\bmpv\b/, "mpv"]
]

const systems: Signs<string> = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b|\biPod\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"]
]

const devices: Signs<VideoStatsDevice> = [
  [/\bSmart-?TV\b|\bSMART-TV\b|\bTizen\b|\bWeb0S\b|\bAppleTV\b|\bBRAVIA\b|\bGoogleTV\b/i, "smarttv"],
  [/\bPlayStation\b|\bXbox\b|\bNintendo\b/, "console"],
  [/\bOculusBrowser\b|\bQuest\b/, "xr"],
  [/\biPad\b|\bTablet\b|\bAndroid\b(?!.*\bMobile\b)/, "tablet"],
  [/\bMobile\b|\biPhone\b|\biPod\b/, "mobile"],
  [/\bWindows NT\b|\bMacintosh\b|\bX11\b|\bCrOS\b/, "desktop"]
]

const named = <A>(signs: Signs<A>, text: string): A | null => signs.find(([sign]) => sign.test(text))?.[1] ?? null

/** Longer ones do not come from browsers and are ignored. */
const longest = 1000

/** The software in a `User-Agent`: names without versions, since those would identify viewers. */
export const watchedWith = (userAgent: string | undefined): WatchedWith => {
  const text = (userAgent ?? "").slice(0, longest)
  return { client: named(clients, text), device: named(devices, text), operatingSystem: named(systems, text) }
}
