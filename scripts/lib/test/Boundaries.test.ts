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
        "packages/node/src/video/Videos.ts":
          'import { join } from "node:path"\nimport { x } from "@kinora/storage/video/Rows"\nimport { y } from "../platform/http/Y.ts"\n',
        "packages/storage/src/video/Rows.ts": 'import * as Pg from "@effect/sql-pg/PgClient"\nexport const x = Pg\n',
        "packages/node/src/platform/http/Y.ts": "export const y = 1\n",
        "packages/node/src/main.ts": 'import { s } from "./app/App.ts"\nexport const env = process.env\n',
        "packages/node/src/app/App.ts":
          'import { k } from "../cli/Kinora.ts"\nimport { p } from "../web-pages/P.ts"\nimport { v } from "../video/Videos.ts"\n',
        "packages/node/src/cli/Kinora.ts": 'import { y } from "../platform/http/Y.ts"\n',
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
      "answers are checked against their endpoints",
      { "packages/node/src/video/AHttp.ts": "return handlers.handleAll({ a: () => answer(b) })\n" },
      "the compiler does not check what they answer"
    ],
    [
      "those in the middle stay apart",
      { "packages/media/src/A.ts": 'import { x } from "@kinora/storage/X"\n' },
      "media may not import storage"
    ],
    [
      "torrents ask the network by a service of their own",
      { "packages/torrent/src/A.ts": 'import { x } from "@kinora/federation/fetch/GuardedFetch"\n' },
      "torrent may not import federation"
    ],
    [
      "publishers reach the program through handlers",
      { "packages/ingest/src/A.ts": 'import { x } from "@kinora/media/probe/Probe"\n' },
      "ingest may not import media"
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

  const importing = (...files: ReadonlyArray<readonly [file: string, ...targets: ReadonlyArray<string>]>) =>
    broken(
      Object.fromEntries(
        files.map(([file, ...targets]) => [
          `packages/${file}`,
          targets.map((target) => `import "@kinora/${target.replace("/src", "").replace(/\.ts$/, "")}"\n`).join("")
        ])
      )
    )

  it("names the lighter side of two folders that import each other", () => {
    assert.deepStrictEqual(
      importing(
        ["media/src/a/One.ts", "media/src/b/X.ts"],
        ["media/src/a/Two.ts", "media/src/b/Y.ts"],
        ["media/src/b/Z.ts", "media/src/a/Three.ts"]
      ),
      [
        "packages/media/src/b/Z.ts: imports packages/media/src/a/Three.ts in a circle of folders: " +
          "packages/media/src/a -> packages/media/src/b -> packages/media/src/a"
      ]
    )
  })

  it("names one step of a longer circle, and each circle once", () => {
    const found = importing(
      ["web/src/a/A.ts", "web/src/b/B.ts"],
      ["web/src/a/A2.ts", "web/src/b/B.ts"],
      ["web/src/b/B2.ts", "web/src/c/C.ts"],
      ["web/src/c/C2.ts", "web/src/a/A3.ts"],
      ["web/src/c/C3.ts", "web/src/a/A3.ts"],
      ["web/src/d/D.ts", "web/src/a/A.ts"]
    )
    assert.lengthOf(found, 1)
    assert.include(found[0], "packages/web/src/b/B2.ts: imports packages/web/src/c/C.ts")
  })

  it("takes a folder with all that is below it, at every level", () => {
    const found = importing(
      ["domain/src/a/one/A.ts", "domain/src/b/one/B.ts"],
      ["domain/src/b/two/B.ts", "domain/src/a/two/A.ts"],
      ["domain/src/c/deep/x/X.ts", "domain/src/c/deep/y/Y.ts"],
      ["domain/src/c/deep/y/Y2.ts", "domain/src/c/deep/x/X2.ts"]
    )
    assert.deepStrictEqual(
      found.map((line) => line.split(": ").at(-1)),
      [
        "packages/domain/src/a -> packages/domain/src/b -> packages/domain/src/a",
        "packages/domain/src/c/deep/x -> packages/domain/src/c/deep/y -> packages/domain/src/c/deep/x"
      ]
    )
  })

  it("takes the files of a folder as one beside its subfolders", () => {
    assert.lengthOf(
      importing(
        ["federation/src/a/A.ts", "federation/src/a/in/In.ts"],
        ["federation/src/a/in/deep/D.ts", "federation/src/a/B.ts"]
      ),
      1
    )
    assert.isEmpty(importing(["federation/src/a/A.ts", "federation/src/a/in/In.ts", "federation/src/b/B.ts"]))
  })

  it("lets circles of test folders be", () => {
    assert.isEmpty(
      broken({
        "packages/node/test/a/A.ts": 'import "../b/B.ts"\n',
        "packages/node/test/b/B2.ts": 'import "../a/A2.ts"\n'
      })
    )
  })

  it.each<readonly [from: string, to: string, said: string]>([
    ["node/src/platform/A.ts", "node/src/video/B.ts", "platform may not import video"],
    ["node/src/people/A.ts", "node/src/video/B.ts", "people may not import video"],
    ["storage/src/video/A.ts", "storage/src/social/B.ts", "video may not import social"],
    ["node/src/federation/A.ts", "node/src/app/B.ts", "federation may not import app"],
    ["node/src/cli/A.ts", "node/src/web-pages/B.ts", "cli may not import web-pages"],
    ["node/src/web-pages/A.ts", "node/src/cli/B.ts", "web-pages may not import cli"],
    ["node/src/main.ts", "node/src/video/B.ts", "the entry point may not import the domain video"],
    ["node/src/app/A.ts", "node/src/jobs/B.ts", "jobs is no domain"]
  ])("%s may not import %s", (from, to, said) => {
    const found = importing([from, to])
    assert.lengthOf(found, 1)
    assert.include(found[0], said)
  })
})
