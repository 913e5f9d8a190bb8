import { Layer } from "effect"
import { Frames } from "./images/Frames.ts"
import { Pictures } from "./images/Pictures.ts"
import { StillPicture } from "./images/StillPicture.ts"
import { Storyboard } from "./images/Storyboard.ts"
import { Thumbnails } from "./images/Thumbnails.ts"
import { JoinRecording } from "./live/JoinRecording.ts"
import { LivePackager } from "./live/LivePackager.ts"
import { PulledLive } from "./live/PulledLive.ts"
import { RemuxToFlv } from "./live/RemuxToFlv.ts"
import { Mux } from "./mux/Mux.ts"
import { FfmpegProcess } from "./process/FfmpegProcess.ts"
import { Sandbox } from "./process/Sandbox.ts"
import { Cut } from "./parts/Cut.ts"
import { JoinParts } from "./parts/JoinParts.ts"
import { PartEncoder } from "./parts/PartEncoder.ts"
import { SourcePackets } from "./parts/SourcePackets.ts"
import { Probe } from "./probe/Probe.ts"
import { Remux } from "./remux/Remux.ts"
import { Programs } from "./tools/Programs.ts"
import { Tools } from "./tools/Tools.ts"
import { Join } from "./transcode/Join.ts"
import { Transcode } from "./transcode/Transcode.ts"
import { RunnerWork } from "./work/RunnerWork.ts"
import { YtDlp } from "./ytdlp/YtDlp.ts"

const tools = Layer.mergeAll(Tools.layer, Sandbox.layer).pipe(Layer.provide(Programs.layer))

const external = YtDlp.layer.pipe(Layer.provide(Programs.layer))

const processes = FfmpegProcess.layer.pipe(Layer.provideMerge(tools))

const pictures = Frames.layer.pipe(Layer.provideMerge(Pictures.layer), Layer.provideMerge(processes))

const single = Layer.mergeAll(
  Cut.layer,
  Join.layer,
  JoinParts.layer,
  JoinRecording.layer,
  LivePackager.layer,
  Mux.layer,
  PartEncoder.layer,
  Probe.layer,
  PulledLive.layer,
  Remux.layer,
  RemuxToFlv.layer,
  SourcePackets.layer,
  Storyboard.layer,
  Thumbnails.layer,
  Transcode.layer.pipe(Layer.provide(StillPicture.layer)),
  external
)

const services = RunnerWork.layer.pipe(Layer.provideMerge(single))

/**
 * Every media service: `Tools`, `Sandbox`, `FfmpegProcess`, `Probe`, `SourcePackets`, `Cut`, `PartEncoder`, `JoinParts`, `JoinRecording`, `LivePackager`, `PulledLive`, `Mux`, `Remux`, `RemuxToFlv`, `Transcode`, `Thumbnails`, `Storyboard`,
 * `RunnerWork`, `YtDlp`, `YtDlpProgram`.
 * Needs the platform (`NodeServices.layer`) and reads `MediaSettings`.
 */
export const Media = { layer: services.pipe(Layer.provideMerge(pictures)) }
