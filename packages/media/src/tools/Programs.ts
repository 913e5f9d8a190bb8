import { Config, Context, Effect, FileSystem, Layer, Path } from "effect"

/** Finds programs by name in `PATH` (and the usual folders when it is empty). Absolute path, or undefined. */
export class Programs extends Context.Service<Programs, { find(name: string): Effect.Effect<string | undefined> }>()(
  "@kinora/media/tools/Programs"
) {
  static readonly layer = Layer.effect(
    Programs,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const search = yield* Config.String("PATH").pipe(Config.withDefault(""))
      const folders = [...search.split(":").filter(path.isAbsolute), "/usr/local/bin", "/usr/bin", "/bin"]

      const isProgram = (file: string) =>
        fs.stat(file).pipe(
          Effect.map((info) => info.type === "File" && (info.mode & 0o111) !== 0),
          Effect.orElseSucceed(() => false)
        )

      const find = Effect.fnUntraced(function* (name: string) {
        for (const folder of folders) {
          const file = path.join(folder, name)
          if (yield* isProgram(file)) return file
        }
        return undefined
      })

      return Programs.of({ find })
    })
  )
}
