/** What the player says, in one place. Keys and numbers come as arguments. */
export const messages = {
  audioOnly: "Audio only",
  auto: "Auto",
  automatic: (label: string) => `${label} (automatic)`,
  bandwidth: "Bandwidth",
  buffer: "Buffer",
  cancel: "Cancel",
  captions: "Captions",
  captionsKey: "Captions (c)",
  chapters: "Chapters",
  close: "Close",
  codec: "Codecs",
  connectionTrouble: "Connection trouble. Trying again…",
  copyLink: "Copy link at this time",
  droppedFrames: "Dropped frames",
  from: (clock: string) => `From ${clock}`,
  fullscreenEnter: "Full screen (f)",
  fullscreenLeave: "Leave full screen (f)",
  help: "Keyboard shortcuts",
  keysChoice: "Keys of one letter work outside the player, too",
  linkCopied: (clock: string) => `Link copied, at ${clock}`,
  loop: "Loop",
  more: "More",
  mute: "Mute (m)",
  nextVideo: "Next video",
  noConnection: "No connection. Trying again…",
  noDevice: "No device was found.",
  normal: "Normal",
  off: "Off",
  on: "On",
  partMissing: "This part of the player did not load. Check your connection and try again.",
  password: "This video is protected by a password.",
  passwordField: "Password of this video",
  pause: "Pause (k)",
  pictureInPicture: "Picture in picture (i)",
  play: "Play",
  playAgain: "Play again (k)",
  playKey: "Play (k)",
  playNow: "Play now",
  playOnDevice: "Play on another device",
  playedBy: "Played by",
  position: "Position",
  previousVideo: "Previous video",
  protocol: "Protocol",
  quality: "Quality",
  resolution: "Resolution",
  section: "Repeat a section (A–B)",
  sectionBegins: (clock: string) => `Section begins at ${clock}. Do the same where it ends.`,
  sectionOff: "The section no longer repeats.",
  sectionRepeats: (from: string, to: string) => `Repeating ${from} to ${to}`,
  seconds: (count: number) => `${count} s`,
  percent: (share: number) => `${Math.round(share * 100)} %`,
  settings: "Settings",
  speed: "Speed",
  stableVolume: "Stable volume",
  stableVolumeImpossible: "The sound of this video comes from another server and cannot be changed here.",
  stableVolumeOff: "Stable volume off",
  stableVolumeOn: "Stable volume on",
  statistics: "Statistics",
  theatre: "Theatre mode",
  theatreKey: "Theatre mode (t)",
  tryAgain: "Try again",
  unmute: "Unmute (m)",
  upNext: "Up next",
  viewport: "Shown in",
  volume: "Volume",
  watch: "Watch",
  wrongPassword: "This is not the password of this video."
} as const

/** Why there is nothing to play yet. The player starts by itself when there is. */
export const waitingTexts = {
  preparing: "This video is being prepared. It starts by itself when it is ready.",
  importing: "This video is being imported. It starts by itself when it is ready.",
  live: "The live stream has not started yet.",
  editing: "This video is being edited. It starts by itself when it is ready."
} as const

/** What cannot be played, and what the viewer can do about it. */
export interface Failure {
  readonly text: string
  readonly advice: string
}

export const failures = {
  isPrivate: { text: "This video is private.", advice: "Log in with an account that may watch it, then try again." },
  absent: {
    text: "This video does not exist, or is no longer here.",
    advice: "Check the address. The person who gave it to you may have a new one."
  },
  server: {
    text: "The server could not answer.",
    advice: "It may be back in a moment. Your place in the video is kept."
  },
  noLongerHere: {
    text: "This video is no longer available here.",
    advice: "Its files may have moved. Load the page again in a few minutes."
  },
  unplayable: {
    text: "This browser cannot play this video.",
    advice: "Update the browser, or open the page in another one."
  },
  notLoaded: {
    text: "The player could not be loaded.",
    advice: "Check your connection. An extension that blocks scripts can be the reason, too."
  },
  liveOver: { text: "The live stream is over.", advice: "A recording may follow on the page of the channel." },
  notConverted: {
    text: "This video could not be converted for playing.",
    advice: "Its owner can see the reason on this page, and have it converted again."
  },
  notImported: {
    text: "This video could not be imported.",
    advice: "Its owner can see the reason on this page, and import it again."
  },
  unexpected: {
    text: "Something went wrong in the player.",
    advice: "Try again. If it happens again, load the page anew."
  }
} as const satisfies Record<string, Failure>

/** The keys of buttons and of the picture, for the help sheet. */
export const keyTexts: ReadonlyArray<readonly [keys: ReadonlyArray<string>, text: string]> = [
  [["k", "Space"], "Play or pause"],
  [["←", "→"], "5 seconds back or forward"],
  [["j", "l"], "10 seconds back or forward"],
  [["0", "…", "9"], "To a tenth of the video"],
  [[",", "."], "One picture back or forward, while paused"],
  [["<", ">"], "Slower or faster"],
  [["m"], "Mute"],
  [["↑", "↓"], "Louder or quieter, in the player"],
  [["c"], "Captions"],
  [["f"], "Full screen"],
  [["i"], "Picture in picture"]
]
