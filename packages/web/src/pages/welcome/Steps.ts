/** A setting that a step asks for. */
export interface Asked {
  /** Its path, as `instance.name`. */
  readonly setting: string
  /** Key of its words in the messages. */
  readonly key:
    | "name"
    | "shortDescription"
    | "limit"
    | "followers"
    | "manualApproval"
    | "channels"
    | "followBack"
    | "transcoding"
  readonly kind: "line" | "lines" | "number" | "switch"
  readonly help?: "nameHelp" | "shortDescriptionHelp" | "limitHelp" | "followBackHelp" | "transcodingHelp"
}

/** The steps from a fresh start to a configured instance, in their order. */
export const steps = ["identity", "registration", "mail", "federation", "transcoding"] as const
export type Step = (typeof steps)[number]

/** Heights of pictures that videos are transcoded to; `0p` is sound alone. */
export const resolutions = ["0p", "144p", "240p", "360p", "480p", "720p", "1080p", "1440p", "2160p"] as const

/** What steps ask for, besides what has a form of its own. */
export const asked: Readonly<Record<Step, ReadonlyArray<Asked>>> = {
  identity: [
    { setting: "instance.name", key: "name", kind: "line", help: "nameHelp" },
    { setting: "instance.shortDescription", key: "shortDescription", kind: "lines", help: "shortDescriptionHelp" }
  ],
  registration: [{ setting: "signup.limit", key: "limit", kind: "number", help: "limitHelp" }],
  mail: [],
  federation: [
    { setting: "followers.instance.enabled", key: "followers", kind: "switch" },
    { setting: "followers.instance.manualApproval", key: "manualApproval", kind: "switch" },
    { setting: "followers.channels.enabled", key: "channels", kind: "switch" },
    {
      setting: "followings.instance.autoFollowBack.enabled",
      key: "followBack",
      kind: "switch",
      help: "followBackHelp"
    }
  ],
  transcoding: [{ setting: "transcoding.enabled", key: "transcoding", kind: "switch", help: "transcodingHelp" }]
}

/** How people come to an account, as the two settings have it. */
export const modes = ["open", "approval", "closed"] as const
export type Mode = (typeof modes)[number]

export const modeOf = (enabled: boolean, requiresApproval: boolean): Mode =>
  !enabled ? "closed" : requiresApproval ? "approval" : "open"

export const settingsOf = (mode: Mode): Readonly<Record<string, unknown>> =>
  mode === "closed"
    ? { "signup.enabled": false }
    : { "signup.enabled": true, "signup.requiresApproval": mode === "approval" }
