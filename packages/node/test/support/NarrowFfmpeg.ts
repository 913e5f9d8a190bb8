import { NodeServices } from "@effect/platform-node"
import { Programs } from "@kinora/media/tools/Programs"
import { Tools } from "@kinora/media/tools/Tools"
import { Effect, FileSystem, Layer } from "effect"

/** The ffmpeg of tests under another path, which says of itself that it lacks an encoder. Goes with the scope. */
export const narrowFfmpeg = Effect.fn("narrowFfmpeg")(
  function* (encoder: string) {
    const fs = yield* FileSystem.FileSystem
    const real = yield* (yield* Tools).path("ffmpeg")
    const path = `${yield* fs.makeTempDirectoryScoped({ prefix: "kinora-ffmpeg-" })}/ffmpeg`
    const script = `#!/bin/sh\ncase "$*" in\n*-encoders*) "${real}" "$@" | grep -v "${encoder}" ;;\n*) exec "${real}" "$@" ;;\nesac\n`
    yield* fs.writeFileString(path, script)
    yield* fs.chmod(path, 0o755)
    return path
  },
  Effect.provide(Layer.fresh(Tools.layer).pipe(Layer.provide(Programs.layer), Layer.provideMerge(NodeServices.layer)))
)
