/** What a playlist is for (contract: VideoPlaylistType). Each user has one of the second kind. */
export type PlaylistType = 1 | 2
export const PlaylistType = { regular: 1, watchLater: 2 } as const
export const playlistTypes: ReadonlyArray<PlaylistType> = [1, 2]

export const playlistTypeLabels: Readonly<Record<PlaylistType, string>> = { 1: "Regular", 2: "Watch later" }

/**
 * What stands at a place of a playlist, for who looks at it (contract: VideoPlaylistElementType): a video; one that was
 * deleted; one that is not for them; one that cannot be seen at the moment, or at all.
 */
export type PlaylistElementType = 0 | 1 | 2 | 3
export const PlaylistElementType = { regular: 0, deleted: 1, private: 2, unavailable: 3 } as const
