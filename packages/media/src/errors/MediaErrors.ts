import { Schema } from "effect"

/** ffmpeg or ffprobe was not found. `detail` says where it was looked for. */
export class ToolMissing extends Schema.TaggedError<ToolMissing>()("ToolMissing", {
  tool: Schema.Literals(["ffmpeg", "ffprobe"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * ffmpeg or ffprobe could not be started, or was killed at its work: the machine lacks processes, descriptors, memory or
 * disk space. That says nothing about the file; a later try may succeed.
 */
export class ToolNotStarted extends Schema.TaggedError<ToolNotStarted>()("ToolNotStarted", {
  tool: Schema.Literals(["ffmpeg", "ffprobe"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** A file that is not readable as media. `detail` is suitable for the person who uploaded it. */
export class ProbeFailed extends Schema.TaggedError<ProbeFailed>()("ProbeFailed", {
  reason: Schema.Literals(["not-media", "damaged", "timeout", "too-much-output", "missing"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** Media that was understood and is refused. `detail` is suitable for the person who uploaded it. */
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

/** An uploaded image that is refused before or while it is decoded. */
export class UnsupportedPicture extends Schema.TaggedError<UnsupportedPicture>()("UnsupportedPicture", {
  reason: Schema.Literals(["type", "too-many-pixels", "too-many-frames", "too-large", "damaged"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** Exit codes of a shell's kind for children that SIGKILL or SIGTERM ended: 128 and the signal's number. */
const killedCodes: ReadonlySet<number> = new Set([137, 143])

/** What tools say when the machine, and not the file, is at fault. */
const machineFault = /No space left on device|Disk quota exceeded|Resource temporarily unavailable|Input\/output error/i

/** Of a file that ffprobe has read, ffmpeg says it when the machine lacks memory. Of a file that lies, ffprobe says it, too. */
const outOfMemory = /Cannot allocate memory/i

/**
 * A child process that failed. `stderr` holds its last lines (at most 40, each at most 500 characters). `exitCode` is
 * absent when it was killed or ended by us. `spawn`: it was never started, because of the machine.
 */
export class FfmpegFailed extends Schema.TaggedError<FfmpegFailed>()("FfmpegFailed", {
  tool: Schema.Literals(["ffmpeg", "ffprobe"]),
  reason: Schema.Literals(["exit", "signal", "timeout", "spawn", "output"]),
  exitCode: Schema.optionalKey(Schema.Int),
  /** `SIGKILL`: where it is known. */
  signal: Schema.optionalKey(Schema.String),
  stderr: Schema.Array(Schema.String)
}) {
  /** Whether SIGKILL or SIGTERM ended it: the kernel that is out of memory, or an operator. */
  get isKilled(): boolean {
    return this.signal === "SIGKILL" || this.signal === "SIGTERM" || killedCodes.has(this.exitCode ?? 0)
  }

  /** Whether what the tool said blames the machine. */
  private get blamesMachine(): boolean {
    return this.stderr.some((line) => machineFault.test(line))
  }

  /** Whether the same work may end well another time: the machine was at fault, or something that ended the tool. */
  get isTransient(): boolean {
    const lackedMemory = this.tool === "ffmpeg" && this.stderr.some((line) => outOfMemory.test(line))
    return this.reason === "spawn" || this.isKilled || this.blamesMachine || lackedMemory
  }

  /** Whether the tool itself gave up on the file: another way to read it may end well. */
  get gaveUp(): boolean {
    return this.reason === "exit" && !this.isKilled && !this.blamesMachine
  }

  override get message(): string {
    const last = this.stderr.slice(-3).join(" | ")
    return `${this.tool} failed (${this.reason}${this.exitCode === undefined ? "" : ` ${this.exitCode}`}): ${last}`
  }
}

/** A file from our own encoder that lacks the boxes a playlist needs. */
export class MalformedMp4 extends Schema.TaggedError<MalformedMp4>()("MalformedMp4", {
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}
