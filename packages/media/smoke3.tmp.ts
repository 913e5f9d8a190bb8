import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { Media } from "./src/Media.ts"
import { Probe } from "./src/probe/Probe.ts"
import { Remux } from "./src/remux/Remux.ts"
import { Thumbnails, usualSizes } from "./src/images/Thumbnails.ts"
import { Transcode } from "./src/transcode/Transcode.ts"
import { ladder } from "./src/ladder/Ladder.ts"
import { fileNames } from "./src/transcode/FileNames.ts"
const [what, source, out] = process.argv.slice(2)
rmSync(out, { recursive: true, force: true }); mkdirSync(out, { recursive: true })
const main = Effect.gen(function* () {
  const info = yield* (yield* Probe).probe(source)
  const common = { source, info, hls: true, webVideo: true, splitAudio: false, directory: out, names: fileNames("t") }
  for (let i = 0; i < (what === "remux" ? 3 : 1); i++) {
    const s = performance.now()
    if (what === "remux") yield* (yield* Remux).remux(common)
    if (what === "thumbs") yield* (yield* Thumbnails).fromVideo({ ...common, sizes: usualSizes, name: (s) => `t-${s.width}.jpg` })
    if (what === "transcode") yield* (yield* Transcode).transcode({ ...common, storyboard: out + "/sb.jpg", renditions: ladder(info, { resolutions: [240, 360, 480, 720, 1080], alwaysTranscodeOriginalResolution: true, maxFps: 60 }) })
    console.log(what, Math.round(performance.now() - s), "ms")
  }
})
await Effect.runPromise(main.pipe(Effect.provide(Media.layer.pipe(Layer.provideMerge(NodeServices.layer)))) as any)
