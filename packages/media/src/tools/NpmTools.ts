import { Effect, FileSystem, Path } from "effect"
import type { ToolName } from "./ToolName.ts"

const platform = `${process.platform}-${process.arch}`

/** npm packages that contain a binary, best first. The last ffmpeg is a build of 2018. */
const packages: Record<ToolName, ReadonlyArray<string>> = {
  ffmpeg: [`@ffmpeg-binary/${platform}/ffmpeg`, `@ffmpeg-installer/${platform}/ffmpeg`],
  ffprobe: [`@ffprobe-installer/${platform}/ffprobe`]
}

/** Files of a tool in the `node_modules` folders above this file. */
export const packageCandidates = Effect.fnUntraced(function* (tool: ToolName) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found: Array<string> = []
  for (const name of packages[tool]) {
    let folder = import.meta.dirname
    while (true) {
      const file = path.join(folder, "node_modules", name)
      if (yield* Effect.orElseSucceed(fs.exists(file), () => false)) {
        found.push(file)
        break
      }
      const parent = path.dirname(folder)
      if (parent === folder) break
      folder = parent
    }
  }
  return found
})
