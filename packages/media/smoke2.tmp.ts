import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Result } from "effect"
import { readdirSync } from "node:fs"
import { Media } from "./src/Media.ts"
import { Probe } from "./src/probe/Probe.ts"
import { browserPlayable } from "./src/remux/BrowserPlayable.ts"
const dir = "/work/main/.cache/fixtures/"
const main = Effect.gen(function* () {
  const probe = yield* Probe
  for (const f of readdirSync(dir).filter((f) => !f.endsWith(".made"))) {
    const s = performance.now()
    const r = yield* Effect.result(probe.probe(dir + f))
    const ms = Math.round(performance.now() - s)
    if (Result.isFailure(r)) console.log(f, ms, "FAIL", r.failure._tag, (r.failure as any).reason, r.failure.message)
    else {
      const i = r.success,
        v = i.video
      console.log(
        f,
        ms,
        i.container,
        i.duration,
        v &&
          `${v.codec}/${v.profile} ${v.width}x${v.height} rot${v.rotation} ${v.fps}/${v.nominalFps}${v.variableFps ? " VFR" : ""}${v.interlaced ? " INT" : ""}${v.hdr ? " HDR" : ""} ${v.bitDepth}b ${v.pixelFormat} kf${v.keyframeInterval} st${v.startTime} ${v.startsCut}`,
        i.audio.map((a) => `${a.codec} ${a.profile} ${a.channels}ch ${a.bitrate} st${a.startTime}`).join(),
        "pics" + i.pictures.length,
        JSON.stringify(browserPlayable(i))
      )
    }
  }
})
await Effect.runPromise(main.pipe(Effect.provide(Media.layer.pipe(Layer.provideMerge(NodeServices.layer)))) as any)
