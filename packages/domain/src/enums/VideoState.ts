/** How far a video is on its way to being published. */
export type VideoState = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
export const VideoState = {
  published: 1,
  toTranscode: 2,
  toImport: 3,
  waitingForLive: 4,
  liveEnded: 5,
  toMoveToExternalStorage: 6,
  transcodingFailed: 7,
  toMoveToExternalStorageFailed: 8,
  toEdit: 9,
  toMoveToFileSystem: 10,
  toMoveToFileSystemFailed: 11,
  toImportFailed: 12
} as const
export const videoStates: ReadonlyArray<VideoState> = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

export const videoStateLabels: Readonly<Record<VideoState, string>> = {
  1: "Published",
  2: "To transcode",
  3: "To import",
  4: "Waiting for livestream",
  5: "Livestream ended",
  6: "To move to an external storage",
  7: "Transcoding failed",
  8: "External storage move failed",
  9: "To edit",
  10: "To move to file system",
  11: "Move to file system failed",
  12: "Import failed"
}
