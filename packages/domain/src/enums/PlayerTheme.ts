/** Looks a player can have. */
export type PlayerTheme = "galaxy" | "lucide"
/** What a channel can choose: a look, or that of the instance. */
export type ChannelPlayerTheme = PlayerTheme | "instance-default"
/** What a video can choose besides: that of its channel. */
export type VideoPlayerTheme = ChannelPlayerTheme | "channel-default"

export const channelPlayerThemes: ReadonlyArray<ChannelPlayerTheme> = ["instance-default", "galaxy", "lucide"]
export const videoPlayerThemes: ReadonlyArray<VideoPlayerTheme> = ["channel-default", ...channelPlayerThemes]

/** The look of players where nobody chose one, as in `GET /config`. */
export const instancePlayerTheme: PlayerTheme = "galaxy"
