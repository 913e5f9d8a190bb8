import { NodeServices } from "@effect/platform-node"
import { Context, Effect, FileSystem, Layer } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import { Media } from "../../src/Media.ts"

const generator = fileURLToPath(new URL("../../../../scripts/fixtures/generate.ts", import.meta.url))

/** Clips that this worker has asked for, and where they are. */
const made = new Map<string, string>()

/** Clips made by scripts/fixtures, and a folder of its own for every test. */
export class Clips extends Context.Service<
  Clips,
  {
    /** Absolute path of a clip; made on first use. */
    clip(name: string): Effect.Effect<string>
    /** A new empty folder that goes with the test's scope. */
    readonly folder: Effect.Effect<string, never, import("effect").Scope.Scope>
  }
>()("@kinora/media/test/Clips") {
  static readonly layer = Layer.effect(
    Clips,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const clip = Effect.fn("Clips.clip")(function* (name: string) {
        const there = made.get(name)
        if (there !== undefined) return there
        const out = yield* spawner.string(ChildProcess.make(process.execPath, [generator, name]))
        made.set(name, `${out.trim()}/${name}`)
        return `${out.trim()}/${name}`
      }, Effect.orDie)
      const folder = Effect.orDie(fs.makeTempDirectoryScoped({ prefix: "kinora-media-" }))
      return Clips.of({ clip, folder })
    })
  )
}

/** Every media service over the real tools, with fixtures and settings of a test's own. */
export const mediaTest = (settings: Layer.Layer<never>) =>
  Layer.merge(Media.layer.pipe(Layer.provide(settings)), Clips.layer).pipe(Layer.provideMerge(NodeServices.layer))

/** Every media service over the real tools, with fixtures. */
export const MediaTest = Layer.merge(Media.layer, Clips.layer).pipe(Layer.provideMerge(NodeServices.layer))
