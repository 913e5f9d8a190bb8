/** The programs this package runs. */
export type ToolName = "ffmpeg" | "ffprobe"
