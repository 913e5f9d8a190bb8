/** How far the import of a video is (contract: VideoImportState). */
export type VideoImportState = 1 | 2 | 3 | 4 | 5 | 6
export const VideoImportState = {
  pending: 1,
  success: 2,
  failed: 3,
  rejected: 4,
  cancelled: 5,
  processing: 6
} as const

export const videoImportStateLabels: Readonly<Record<VideoImportState, string>> = {
  1: "Pending",
  2: "Success",
  3: "Failed",
  4: "Rejected",
  5: "Cancelled",
  6: "Processing"
}
