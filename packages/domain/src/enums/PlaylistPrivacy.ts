/** Who may see a playlist (contract: VideoPlaylistPrivacy). */
export type PlaylistPrivacy = 1 | 2 | 3
export const PlaylistPrivacy = { public: 1, unlisted: 2, private: 3 } as const
export const playlistPrivacies: ReadonlyArray<PlaylistPrivacy> = [1, 2, 3]

export const playlistPrivacyLabels: Readonly<Record<PlaylistPrivacy, string>> = {
  1: "Public",
  2: "Unlisted",
  3: "Private"
}
