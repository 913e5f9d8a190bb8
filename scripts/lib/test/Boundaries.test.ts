import { assert, describe, it } from "vitest"
import { importsOf, violations } from "../Boundaries.ts"

const broken = (files: Readonly<Record<string, string>>) => violations(new Map(Object.entries(files)))

describe("boundaries", () => {
  it("reads every form of import, and no comments", () => {
    const content = [
      'import { a, type B } from "./A.ts"',
      'import type { C } from "@kinora/domain/C"',
      "import {",
      "  d",
      '} from "node:fs"',
      'import "./side.ts"',
      'export { e } from "./E.ts"',
      'export * from "./F.ts"',
      'const g = await import("./G.ts")',
      '// import { x } from "./no.ts"',
      '/** import { y } from "./no.ts" */',
      "const text = 'nothing from here'"
    ].join("\n")
    assert.deepStrictEqual(importsOf(content), [
      "./A.ts",
      "@kinora/domain/C",
      "node:fs",
      "./side.ts",
      "./E.ts",
      "./F.ts",
      "./G.ts"
    ])
  })

  it("lets through what is allowed", () => {
    assert.deepStrictEqual(
      broken({
        "packages/node/src/videos/Videos.ts":
          'import { join } from "node:path"\nimport { x } from "@kinora/storage/videos/Rows"\nimport { y } from "../http/Y.ts"\n',
        "packages/storage/src/videos/Rows.ts": 'import * as Pg from "@effect/sql-pg/PgClient"\nexport const x = Pg\n',
        "packages/node/src/http/Y.ts": "export const y = 1\n",
        "packages/node/src/main.ts": "export const env = process.env\n",
        "packages/domain/test/X.test.ts": 'import { readFile } from "node:fs/promises"\n'
      }),
      []
    )
  })

  it.each<readonly [rule: string, files: Readonly<Record<string, string>>, said: string]>([
    [
      "domain is pure",
      { "packages/domain/src/A.ts": 'import { join } from "node:path"\n' },
      "domain may not import node:path"
    ],
    [
      "the three in the middle stay apart",
      { "packages/media/src/A.ts": 'import { x } from "@kinora/storage/X"\n' },
      "media may not import storage"
    ],
    [
      "a relative path is no way around",
      { "packages/media/src/A.ts": 'import { x } from "../../storage/src/X.ts"\n' },
      "media may not import storage"
    ],
    [
      "pages import no sources of web",
      { "packages/node/src/pages/A.ts": 'import "@kinora/web/X"\n' },
      "node may not import web"
    ],
    [
      "the runner never imports node",
      { "runner/src/A.ts": 'import { x } from "@kinora/node/X"\n' },
      "runner may not import node"
    ],
    [
      "only storage speaks to PostgreSQL",
      { "packages/node/src/A.ts": 'import * as Pg from "@effect/sql-pg/PgClient"\n' },
      "node may not import @effect/sql-pg/PgClient"
    ],
    [
      "only node and runner have a platform",
      { "packages/media/src/A.ts": 'import { NodeServices } from "@effect/platform-node"\n' },
      "media may not import @effect/platform-node"
    ],
    [
      "sources import no tests",
      { "packages/node/src/A.ts": 'import { x } from "../test/X.ts"\n' },
      "sources import the test"
    ],
    ["the environment is read at the entry", { "packages/node/src/A.ts": "const x = process.env.X\n" }, "process.env"],
    ["no barrels", { "packages/node/src/A.ts": 'export * from "./B.ts"\nexport { c } from "./C.ts"\n' }, "a barrel"],
    ["no long files", { "packages/node/src/A.ts": "const x = 1\n".repeat(501) }, "501 lines"],
    ["no unwatched fibers", { "packages/node/src/A.ts": "Effect.forkDetach(x)\n" }, "forkDetach"],
    [
      "no circles",
      {
        "packages/node/src/A.ts": 'import { b } from "./B.ts"\n',
        "packages/node/src/B.ts": 'import { c } from "./C.ts"\n',
        "packages/node/src/C.ts": 'import { a } from "./A.ts"\n'
      },
      "packages/node/src/A.ts -> packages/node/src/B.ts -> packages/node/src/C.ts -> packages/node/src/A.ts"
    ],
    [
      "no registries",
      { "docs/x.md": ["https://registry", "npmjs", "org"].join(".") },
      "docs/x.md:1: names a package registry"
    ],
    ["no paths of a machine", { "README.md": `see\n${["/wo", "rk/main"].join("")}` }, "README.md:2: names a path"]
  ])("%s", (_, files, said) => {
    const found = broken(files)
    assert.isNotEmpty(found)
    assert.include(found.join("\n"), said)
  })
})
