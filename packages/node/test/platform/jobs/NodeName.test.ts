import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { nodeName } from "../../../src/platform/jobs/NodeName.ts"

/** The name of a node on this machine whose temporary files are in this folder, and whose port is always the same. */
const nameIn = (folder: string) =>
  Effect.provideService(nodeName, KinoraConfig, {
    listen: { port: 9000 },
    storage: { tmp: join(folder, "tmp") }
  } as KinoraConfig["Service"])

it.effect("names a node by something of its own, which outlives it", () =>
  Effect.gen(function* () {
    const [one, other] = [1, 2].map(() => mkdtempSync(join(tmpdir(), "kinora-name-")))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => [one!, other!].forEach((folder) => rmSync(folder, { recursive: true })))
    )
    const names = yield* Effect.all([nameIn(one!), nameIn(one!), nameIn(one!)], { concurrency: "unbounded" })
    const [name] = names
    assert.match(name, /:9000\/[0-9a-f]{8}$/)
    assert.strictEqual(new Set(names).size, 1)
    assert.notStrictEqual(yield* nameIn(other!), name)
    assert.deepStrictEqual(readdirSync(join(one!, "tmp")), ["node-id"])
    // As a loss of power leaves it.
    writeFileSync(join(one!, "tmp/node-id"), "")
    const next = yield* nameIn(one!)
    assert.notStrictEqual(next, name)
    assert.strictEqual(yield* nameIn(one!), next)
  }).pipe(Effect.scoped)
)
