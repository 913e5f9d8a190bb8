import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, Path } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ClientAssets } from "../../../src/pages/ClientAssets.ts"

const repository = new URL("../../../../../", import.meta.url).pathname

/** Builds the browser files into a folder of its own, which goes when the tests end. */
export const BuiltClient = Layer.unwrap(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const output = path.join(yield* fs.makeTempDirectoryScoped({ prefix: "kinora-web-" }), "web")
    const exit = yield* spawner.exitCode(
      ChildProcess.make("node", ["packages/web/build.ts", output], {
        cwd: repository,
        stdout: "ignore",
        stderr: "inherit"
      })
    )
    if (Number(exit) !== 0) return yield* Effect.die(`the web build exited with ${exit}`)
    return ClientAssets.layer(output)
  })
).pipe(Layer.provide(NodeServices.layer))
