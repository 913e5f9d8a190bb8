import { Layer } from "effect"
import { Frames } from "./images/Frames.ts"
import { Pictures } from "./images/Pictures.ts"
import { StillPicture } from "./images/StillPicture.ts"
import { Storyboard } from "./images/Storyboard.ts"
import { Thumbnails } from "./images/Thumbnails.ts"
import { Mux } from "./mux/Mux.ts"
import { FfmpegProcess } from "./process/FfmpegProcess.ts"
import { Sandbox } from "./process/Sandbox.ts"
import { Probe } from "./probe/Probe.ts"
import { Remux } from "./remux/Remux.ts"
import { Programs } from "./tools/Programs.ts"
import { Tools } from "./tools/Tools.ts"
import { Torrent } from "./torrent/Torrent.ts"
import { Join } from "./transcode/Join.ts"
import { Transcode } from "./transcode/Transcode.ts"
import { YtDlp } from "./ytdlp/YtDlp.ts"

const tools = Layer.mergeAll(Tools.layer, Sandbox.layer).pipe(Layer.provide(Programs.layer))

const external = YtDlp.layer.pipe(Layer.provide(Programs.layer))

const processes = FfmpegProcess.layer.pipe(Layer.provideMerge(tools))

const pictures = Frames.layer.pipe(Layer.provideMerge(Pictures.layer), Layer.provideMerge(processes))

const services = Layer.mergeAll(
  Join.layer,
  Mux.layer,
  Probe.layer,
  Remux.layer,
  Storyboard.layer,
  Thumbnails.layer,
  Torrent.layer,
  Transcode.layer.pipe(Layer.provide(StillPicture.layer)),
  external
)

/**
 * Every media service: `Tools`, `Sandbox`, `FfmpegProcess`, `Probe`, `Mux`, `Remux`, `Transcode`, `Thumbnails`, `Storyboard`, `Torrent`,
 * `YtDlp`, `YtDlpProgram`.
 * Needs the platform (`NodeServices.layer`) and reads `MediaSettings`.
 */
export const Media = { layer: services.pipe(Layer.provideMerge(pictures)) }
