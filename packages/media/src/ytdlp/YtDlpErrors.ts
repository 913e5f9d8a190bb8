import { Schema } from "effect"

/** yt-dlp is not installed, cannot be run or is too old. `detail` is advice for the operator. */
export class YtDlpMissing extends Schema.TaggedError<YtDlpMissing>()("YtDlpMissing", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/**
 * yt-dlp failed. `message` is its last message without paths and control characters, at most 300 characters; it
 * contains external data. `reason` `timeout`: it took too long; `output`: its output was too long; `failed`: other
 * errors.
 */
export class YtDlpFailed extends Schema.TaggedError<YtDlpFailed>()("YtDlpFailed", {
  reason: Schema.Literals(["failed", "timeout", "output"]),
  message: Schema.String
}) {}

/** The file is larger than was allowed. */
export class ExternalTooLarge extends Schema.TaggedError<ExternalTooLarge>()("ExternalTooLarge", {
  maxBytes: Schema.Finite
}) {
  override get message(): string {
    return `The video is larger than ${this.maxBytes} bytes`
  }
}

const reasons = {
  live: "The video is live, or has not begun",
  protected: "The video is protected against copies",
  private: "The video is private, or wants a login",
  none: "There is no video at this address"
} as const

/** The URL leads to something that cannot be imported as a video. `message` is suitable for users. */
export class ExternalUnusable extends Schema.TaggedError<ExternalUnusable>()("ExternalUnusable", {
  reason: Schema.Literals(["live", "protected", "private", "none"])
}) {
  override get message(): string {
    return reasons[this.reason]
  }
}

export type YtDlpError = YtDlpMissing | YtDlpFailed | ExternalTooLarge | ExternalUnusable
