export const messages = {
  more: "More",
  mute: "Mute",
  muteAccount: "Mute this account",
  muteAccountAsk: "Mute this account?",
  muteAccountText: "You no longer see videos and comments of {name}. You can take this back in your mutes.",
  muteInstance: "Mute its instance",
  muteInstanceAsk: "Mute this instance?",
  muteInstanceText: "You no longer see anything of {host}. You can take this back in your mutes.",
  muted: "Muted. It is gone from your lists from now on.",
  reportAccount: "Report this account",
  reportVideo: "Report this video"
} as const
