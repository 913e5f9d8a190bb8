/** What was done (contract: VideoChannelActivityAction). */
export type ChannelActivityAction = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16
export const ChannelActivityAction = {
  create: 1,
  update: 2,
  delete: 3,
  updateCaptions: 4,
  updateChapters: 5,
  updatePasswords: 6,
  createStudioTasks: 7,
  updateSourceFile: 8,
  updateElements: 9,
  removeChannelOwnership: 10,
  createChannelOwnership: 11,
  sendOwnershipRequest: 12,
  acceptOwnershipRequest: 13,
  refuseOwnershipRequest: 14,
  updateEmbedPolicy: 15,
  deleteOwnershipRequest: 16
} as const

export const channelActivityActionLabels: Readonly<Record<ChannelActivityAction, string>> = {
  1: "Create",
  2: "Update",
  3: "Delete",
  4: "Update captions",
  5: "Update chapters",
  6: "Update passwords",
  7: "Create studio tasks",
  8: "Update source file",
  9: "Update elements",
  10: "Remove channel ownership",
  11: "Create channel ownership",
  12: "Send ownership request",
  13: "Accept ownership request",
  14: "Refuse ownership request",
  15: "Update embed policy",
  16: "Delete ownership request"
}

/** What it was done to (contract: VideoChannelActivityTarget). */
export type ChannelActivityTarget = 1 | 2 | 3 | 4 | 5
export const ChannelActivityTarget = { video: 1, playlist: 2, channel: 3, channelSync: 4, videoImport: 5 } as const

export const channelActivityTargetLabels: Readonly<Record<ChannelActivityTarget, string>> = {
  1: "Video",
  2: "Playlist",
  3: "Channel",
  4: "Channel synchronization",
  5: "Video import"
}
