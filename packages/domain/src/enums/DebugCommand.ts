/** Work that an administrator can have done at once (contract: DebugCommand). */
export const debugCommands = [
  "remove-dandling-resumable-uploads",
  "remove-expired-user-exports",
  "process-video-stats-buffer",
  "process-video-viewers",
  "process-update-videos-scheduler",
  "process-video-channel-sync-latest",
  "process-remove-old-stats",
  "test-emails"
] as const
export type DebugCommand = (typeof debugCommands)[number]
