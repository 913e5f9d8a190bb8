/** Where the synchronisation of a channel stands (contract: VideoChannelSyncState). */
export type VideoChannelSyncState = 1 | 2 | 3 | 4
export const VideoChannelSyncState = { waitingFirstRun: 1, processing: 2, synced: 3, failed: 4 } as const

export const videoChannelSyncStateLabels: Readonly<Record<VideoChannelSyncState, string>> = {
  1: "Waiting first run",
  2: "Processing",
  3: "Synchronized",
  4: "Failed"
}
