import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { defaultMediaSettings, MediaSettings, type MediaSettingsShape } from "../../src/settings/MediaSettings.ts"
import { Programs } from "../../src/tools/Programs.ts"
import { isTooOld, oldestSupported, readFeatures, readVersion, toolWarnings } from "../../src/tools/ToolFeatures.ts"
import { Tools } from "../../src/tools/Tools.ts"

const found = (line: string) => {
  const version = readVersion(line)
  return version === undefined ? undefined : { path: "/x", ...version }
}

const toolsWith = (changes: Partial<MediaSettingsShape>) =>
  Tools.layer.pipe(
    Layer.provide(Programs.layer),
    Layer.provide(Layer.succeed(MediaSettings, { ...defaultMediaSettings, ...changes }))
  )

describe("ToolFeatures", () => {
  it("reads the versions people have", () => {
    const rows = [
      ["ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers", 5, false],
      ["ffmpeg version n7.0-7-gd38bf5e08e-20240407 Copyright (c) 2000-2024 the FFmpeg developers", 7, false],
      [
        "ffprobe version N-66595-gc2b38619c0-static https://x/  Copyright (c) 2007-2023 the FFmpeg developers",
        0,
        false
      ],
      ["ffmpeg version N-92722-gf22fcd4483-static Copyright (c) 2000-2018 the FFmpeg developers", 0, true],
      ["ffmpeg version 3.4.11 Copyright (c) 2000-2022 the FFmpeg developers", 3, true]
    ] as const
    for (const [line, major, old] of rows) {
      const tool = found(line)
      assert.strictEqual(tool?.major, major)
      assert.strictEqual(tool === undefined ? undefined : isTooOld(tool), old)
    }
    assert.isUndefined(found("BusyBox v1.36.1"))
  })

  it("warns of versions that no test runs with", () => {
    const features = readFeatures("", "")
    const isWarned = (line: string) =>
      toolWarnings(found(line)!, features).some((warning) => warning.includes(`older than ${oldestSupported}`))
    for (const [version, year, warned] of [
      ["5.1.9-0+deb12u1", 2026, false],
      ["5.1", 2022, false],
      ["n7.0-7-gd38bf5e08e-20240407", 2024, false],
      ["N-66595-gc2b38619c0-static", 2023, false],
      ["5.0.3", 2022, true],
      ["4.4.2-0ubuntu0.22.04.1", 2021, true],
      ["N-103000-g1", 2021, true]
    ] as const) {
      assert.strictEqual(
        isWarned(`ffmpeg version ${version} Copyright (c) 2000-${year} the FFmpeg developers`),
        warned,
        version
      )
    }
  })

  it("knows encoders and filters by whole names", () => {
    const features = readFeatures(
      " V....D libx264rgb  x\n A....D aac  AAC",
      " .SC zscale  V->V\n ..C tonemap_opencl V->V"
    )
    assert.deepInclude(features, { libx264: false, aac: true, zscale: true, tonemap: false, bwdif: false })
  })
})

describe("Tools", () => {
  it.effect("finds tools that can encode", () =>
    Effect.gen(function* () {
      const tools = yield* Tools
      assert.deepInclude(tools.report.features, { libx264: true, aac: true })
      assert.isTrue((yield* tools.path("ffprobe")).startsWith("/"))
    }).pipe(Effect.provide(toolsWith({}).pipe(Layer.provide(NodeServices.layer))))
  )

  it.effect("makes a tool executable, and refuses one that is too old", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const ffmpegPath = `${yield* fs.makeTempDirectoryScoped()}/ffmpeg`
      yield* fs.writeFileString(
        ffmpegPath,
        `#!/bin/sh\necho "ffmpeg version 3.2 Copyright (c) 2000-2018 the FFmpeg developers"\n`
      )
      yield* fs.chmod(ffmpegPath, 0o644)
      const tools = yield* Effect.provide(Tools, toolsWith({ ffmpegPath }))
      assert.strictEqual(tools.report.ffmpeg?.path, ffmpegPath)
      assert.match(tools.report.warnings.join(" "), /too old.*libx264/s)
      const error = yield* Effect.flip(tools.path("ffmpeg"))
      assert.include(error.detail, "KINORA_FFMPEG_PATH")
      const allowed = yield* Effect.provide(Tools, toolsWith({ ffmpegPath, allowOldTools: true }))
      assert.strictEqual(yield* allowed.path("ffmpeg"), ffmpegPath)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("says where it looked for what is missing", () =>
    Effect.gen(function* () {
      const tools = yield* Tools
      const error = yield* Effect.flip(tools.path("ffmpeg"))
      assert.include(error.detail, "/nonexistent/ffmpeg")
    }).pipe(Effect.provide(toolsWith({ ffmpegPath: "/nonexistent/ffmpeg" }).pipe(Layer.provide(NodeServices.layer))))
  )
})
