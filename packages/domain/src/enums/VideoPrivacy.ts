/** Who may see a video. */
export type VideoPrivacy = 1 | 2 | 3 | 4 | 5
export const VideoPrivacy = { public: 1, unlisted: 2, private: 3, internal: 4, passwordProtected: 5 } as const
export const videoPrivacies: ReadonlyArray<VideoPrivacy> = [1, 2, 3, 4, 5]

export const videoPrivacyLabels: Readonly<Record<VideoPrivacy, string>> = {
  1: "Public",
  2: "Unlisted",
  3: "Private",
  4: "Internal",
  5: "Password protected"
}
