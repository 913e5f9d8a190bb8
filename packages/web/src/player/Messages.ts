/** What the player says, in one place. Keys and numbers come as arguments. */
export const messages = {
  audioOnly: "Audio only",
  auto: "Auto",
  automatic: (label: string) => `${label} (automatic)`,
  captions: "Captions",
  chapters: "Chapters",
  connectionTrouble: "Connection trouble. Trying again…",
  from: (clock: string) => `From ${clock}`,
  noConnection: "No connection. Trying again…",
  normal: "Normal",
  off: "Off",
  password: "This video is protected by a password.",
  passwordField: "Password of this video",
  play: "Play",
  quality: "Quality",
  speed: "Speed",
  tryAgain: "Try again",
  watch: "Watch",
  wrongPassword: "This is not the password of this video.",
  seconds: (count: number) => `${count} s`,
  percent: (share: number) => `${Math.round(share * 100)} %`
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
