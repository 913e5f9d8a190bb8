import { Schema } from "effect"

/** ffmpeg or ffprobe could not be found; `detail` says where it was looked for. */
export class ToolMissing extends Schema.TaggedError<ToolMissing>()("ToolMissing", {
  tool: Schema.Literals(["ffmpeg", "ffprobe"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * ffmpeg or ffprobe is there and could not be started: the machine is short of processes, descriptors or memory. It says
 * nothing of the file; trying again later can help.
 */
export class ToolNotStarted extends Schema.TaggedError<ToolNotStarted>()("ToolNotStarted", {
  tool: Schema.Literals(["ffmpeg", "ffprobe"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** A file that could not be read as media at all. `detail` is fit for the person who uploaded it. */
export class ProbeFailed extends Schema.TaggedError<ProbeFailed>()("ProbeFailed", {
  reason: Schema.Literals(["not-media", "damaged", "timeout", "too-much-output", "missing"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** Media that was understood and is refused. `detail` is fit for the person who uploaded it. */
export class UnsupportedMedia extends Schema.TaggedError<UnsupportedMedia>()("UnsupportedMedia", {
  reason: Schema.Literals([
    "no-streams",
    "no-duration",
    "no-frames",
    "too-many-streams",
    "too-many-pixels",
    "too-many-frames",
    "codec",
    "too-long"
  ]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** An uploaded picture that is refused before or while it is decoded. */
export class UnsupportedPicture extends Schema.TaggedError<UnsupportedPicture>()("UnsupportedPicture", {
  reason: Schema.Literals(["type", "too-many-pixels", "too-many-frames", "too-large", "damaged"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * A child process that did not do its work. `stderr` holds its last lines (at most 40, each at most 500 characters);
 * `exitCode` is absent when it was killed or ended by us. `spawn`: it was never started, which is the machine's fault.
 */
export class FfmpegFailed extends Schema.TaggedError<FfmpegFailed>()("FfmpegFailed", {
  tool: Schema.Literals(["ffmpeg", "ffprobe"]),
  reason: Schema.Literals(["exit", "signal", "timeout", "spawn", "output"]),
  exitCode: Schema.optionalKey(Schema.Int),
  stderr: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const last = this.stderr.slice(-3).join(" | ")
    return `${this.tool} failed (${this.reason}${this.exitCode === undefined ? "" : ` ${this.exitCode}`}): ${last}`
  }
}

/** A file written by our own encoder that does not have the boxes a playlist needs. */
export class MalformedMp4 extends Schema.TaggedError<MalformedMp4>()("MalformedMp4", {
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}
