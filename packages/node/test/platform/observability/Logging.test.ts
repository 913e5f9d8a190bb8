import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, FileSystem, Layer, Logger, Path, Redacted, Schema } from "effect"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { loggingLayer } from "../../../src/platform/observability/Logging.ts"
import { terminalFormat } from "../../../src/platform/observability/TerminalLogger.ts"
import { openRotatingFile } from "../../../src/platform/observability/RotatingFile.ts"

const decodeLine = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ level: Schema.String, message: Schema.Unknown, annotations: Schema.Unknown }))
)

it.layer(NodeServices.layer, { excludeTestServices: true })("logging", (it) => {
  it.effect("writes JSON lines of the wanted levels into storage.logs, without secrets", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = yield* fs.makeTempDirectoryScoped()
      const config = KinoraConfig.layerTest({ storage: { logs: folder }, log: { level: "warn", format: "json" } })
      yield* Effect.logWarning("seen", { password: Redacted.make("hunter2") }).pipe(
        Effect.andThen(Effect.logInfo("not seen")),
        Effect.annotateLogs({ task: "test" }),
        Effect.provide(loggingLayer.pipe(Layer.provide(config)))
      )
      const content = yield* fs.readFileString(path.join(folder, "kinora.log"))
      assert.notInclude(content, "hunter2")
      const lines = content.trim().split("\n")
      assert.strictEqual(lines.length, 1)
      const line = yield* decodeLine(lines[0])
      assert.strictEqual(line.level, "WARN")
      assert.include(JSON.stringify(line.message), "seen")
      assert.deepStrictEqual(line.annotations, { task: "test" })
    })
  )

  it.effect("writes short lines for people, and causes of what went wrong", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.map(terminalFormat({ colours: false }), (line) => void lines.push(line))
      yield* Effect.logInfo("Kinora answers", Redacted.make("hunter2")).pipe(
        Effect.andThen(Effect.logWarning("The disk is nearly full")),
        Effect.andThen(Effect.logError("It broke", Cause.fail(new Error("the reason")))),
        Effect.annotateLogs({ task: "mail" }),
        Effect.provide(Logger.layer([logger]))
      )
      assert.match(lines[0]!, /^\d\d:\d\d:\d\d {2}Kinora answers <redacted>$/)
      assert.match(lines[1]!, /^\d\d:\d\d:\d\d {2}warn: The disk is nearly full task=mail$/)
      assert.match(lines[2]!, /error: It broke task=mail\n[^]*the reason/)
      assert.notInclude(lines.join(), "hunter2")
    })
  )

  it.effect("keeps as many files as allowed, each within its size, in order", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = path.join(yield* fs.makeTempDirectoryScoped(), "deep", "logs")
      const options = { folder, name: "kinora", maxBytes: 30, maxFiles: 3 }
      const file = yield* openRotatingFile(options)
      for (let count = 1; count <= 6; count++) yield* file.append([`line number ${count}`])
      // A second process start goes on where the first left off.
      yield* Effect.flatMap(openRotatingFile(options), (again) => again.append(["line number 7"]))
      const names = (yield* fs.readDirectory(folder)).toSorted()
      assert.deepStrictEqual(names, ["kinora.1.log", "kinora.2.log", "kinora.log"])
      const contents = yield* Effect.forEach(["kinora.2.log", "kinora.1.log", "kinora.log"], (name) =>
        fs.readFileString(path.join(folder, name))
      )
      assert.deepStrictEqual(contents, [
        "line number 3\nline number 4\n",
        "line number 5\nline number 6\n",
        "line number 7\n"
      ])
    })
  )
})
