/** How far an export or an import of a user's data is (contract: UserExportState, UserImportState). */
export type UserArchiveState = 1 | 2 | 3 | 4
export const UserArchiveState = { pending: 1, processing: 2, completed: 3, errored: 4 } as const

export const userArchiveStateLabels: Readonly<Record<UserArchiveState, string>> = {
  1: "Pending",
  2: "Processing",
  3: "Completed",
  4: "Failed"
}

/** What an archive holds that an import looks at (contract: UserImportResultSummary), in the order in which it does. */
export const importSections = [
  "account",
  "userSettings",
  "channels",
  "blocklist",
  "videos",
  "videoPlaylists",
  "following",
  "likes",
  "dislikes",
  "userVideoHistory",
  "watchedWordsLists",
  "commentAutoTagPolicies"
] as const
export type ImportSection = (typeof importSections)[number]

/** What became of the things of one section. */
export interface SectionSummary {
  readonly success: number
  /** Were there already. */
  readonly duplicates: number
  readonly errors: number
}
