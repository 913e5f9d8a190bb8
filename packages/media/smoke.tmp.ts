import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { Media } from "/work/main/packages/media/src/Media.ts"
import { Probe } from "/work/main/packages/media/src/probe/Probe.ts"
import { Tools } from "/work/main/packages/media/src/tools/Tools.ts"
import { Sandbox } from "/work/main/packages/media/src/process/Sandbox.ts"
import { Remux } from "/work/main/packages/media/src/remux/Remux.ts"
import { Transcode } from "/work/main/packages/media/src/transcode/Transcode.ts"
import { Thumbnails, usualSizes } from "/work/main/packages/media/src/images/Thumbnails.ts"
import { ladder } from "/work/main/packages/media/src/ladder/Ladder.ts"
import { browserPlayable } from "/work/main/packages/media/src/remux/BrowserPlayable.ts"
import { fileNames } from "/work/main/packages/media/src/transcode/FileNames.ts"
const [source, out, split] = process.argv.slice(2)
rmSync(out, { recursive: true, force: true })
mkdirSync(out + "/r", { recursive: true })
mkdirSync(out + "/t", { recursive: true })
const t = <A, E, R>(name: string, e: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const s = performance.now()
    const a = yield* e
    console.log(name, Math.round(performance.now() - s), "ms")
    return a
  })
const main = Effect.gen(function* () {
  console.log((yield* Sandbox).powers, (yield* Tools).report)
  const probe = yield* Probe
  const info = yield* t("probe", probe.probe(source))
  console.log({ ...info, raw: undefined }, browserPlayable(info))
  const common = { source, info, hls: true, webVideo: true, splitAudio: split === "split" }
  if (browserPlayable(info).playable)
    console.log(
      JSON.stringify(
        yield* t("remux", (yield* Remux).remux({ ...common, directory: out + "/r", names: fileNames("r") }))
      )
    )
  yield* t(
    "thumbs",
    (yield* Thumbnails).fromVideo({
      source,
      info,
      directory: out + "/r",
      sizes: usualSizes,
      name: (s) => `t-${s.width}.jpg`
    })
  )
  const renditions = ladder(info, {
    resolutions: [240, 360, 480, 720, 1080],
    alwaysTranscodeOriginalResolution: true,
    maxFps: 60
  })
  console.log(renditions)
  const enc = yield* t(
    "transcode",
    (yield* Transcode).transcode({
      ...common,
      renditions,
      directory: out + "/t",
      names: fileNames("t"),
      storyboard: out + "/t/sb.jpg",
      onProgress: (p) =>
        Effect.sync(() => {
          if (p.frame % 5 === 0) console.log(p)
        })
    })
  )
  console.log(JSON.stringify(enc, null, 1))
})
const L = Media.layer.pipe(Layer.provideMerge(NodeServices.layer))
await Effect.runPromise(main.pipe(Effect.provide(L)) as any)
