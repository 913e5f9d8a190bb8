/** Looks a player can have. */
export const playerThemes = ["galaxy", "lucide"] as const
export type PlayerTheme = (typeof playerThemes)[number]
/** What a channel can choose: a look, or that of the instance. */
export type ChannelPlayerTheme = PlayerTheme | "instance-default"
/** What a video can choose besides: that of its channel. */
export type VideoPlayerTheme = ChannelPlayerTheme | "channel-default"

export const channelPlayerThemes: ReadonlyArray<ChannelPlayerTheme> = ["instance-default", ...playerThemes]
export const videoPlayerThemes: ReadonlyArray<VideoPlayerTheme> = ["channel-default", ...channelPlayerThemes]
