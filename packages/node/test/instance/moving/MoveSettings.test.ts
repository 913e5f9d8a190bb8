import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readOldSettings } from "../../../src/instance/moving/MoveSettings.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"

const withFiles = <A, E, R>(
  texts: ReadonlyArray<string>,
  use: (files: ReadonlyArray<string>) => Effect.Effect<A, E, R>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-old-config-"))),
    (folder) => {
      const files = texts.map((text, place) => {
        const file = join(folder, `${place}.yaml`)
        writeFileSync(file, text)
        return file
      })
      return use(files)
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(Effect.provide(KinoraConfig.layerTest().pipe(Layer.provideMerge(NodeServices.layer))))

it.effect("takes settings that are changed here while the instance runs, later files above earlier ones", () =>
  withFiles(
    [
      "instance:\n  name: First\n  short_description: Short\ndatabase:\n  hostname: localhost\nno_such_key: 1\n",
      '{"instance": {"name": "Second"}, "signup": {"enabled": true, "limit": 12}}'
    ],
    Effect.fnUntraced(function* (files) {
      const { leftBehind, values } = yield* readOldSettings(files)
      assert.deepStrictEqual(Object.fromEntries(values), {
        "instance.name": "Second",
        "instance.short_description": "Short",
        "signup.enabled": true,
        "signup.limit": 12
      })
      assert.includeMembers([...leftBehind], ["database.hostname", "no_such_key"])
    })
  )
)

it.effect("leaves behind what cannot be read here, and combinations that nobody could use", () =>
  withFiles(
    ["instance:\n  name: Old\nsignup:\n  enabled: true\n  limit: many\n  requires_email_verification: true\n"],
    Effect.fnUntraced(function* (files) {
      const { leftBehind, values } = yield* readOldSettings(files)
      assert.deepStrictEqual([...values.keys()], ["instance.name", "signup.enabled"])
      assert.includeMembers([...leftBehind], ["signup.limit", "signup.requires_email_verification"])
    })
  )
)

it.effect("refuses a file that is none", () =>
  withFiles(
    ["instance: [\n"],
    Effect.fnUntraced(function* (files) {
      const refused = yield* Effect.flip(readOldSettings(files))
      assert.match(refused.message, /cannot be read/)
      assert.match((yield* Effect.flip(readOldSettings(["/no/such/file"]))).message, /no such file/)
    })
  )
)
