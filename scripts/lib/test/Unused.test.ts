import { assert, describe, it } from "vitest"
import { exportsOf, importsIn } from "../Modules.ts"
import { unused } from "../Unused.ts"

const found = (files: Readonly<Record<string, string>>, exceptions: ReadonlyArray<string> = []) =>
  unused(new Map(Object.entries(files)), new Set(exceptions))

const main = "packages/node/src/main.ts"
const file = "packages/node/src/app/A.ts"
const test = "packages/node/test/app/A.test.ts"

describe("modules", () => {
  it("names every form of export, each once", () => {
    const source = [
      "/**",
      "export const inComment = 1",
      " */",
      "export const a = 1",
      "export const { b, c: d } = a",
      "export async function e() {",
      "  const inner = 1",
      "}",
      "export abstract class F {}",
      "export interface G {}",
      "export type H = 1",
      "export const H = 1",
      "const i = 1",
      "export { i, a as j }",
      'export { k, type L } from "./K.ts"'
    ].join("\n")
    assert.deepStrictEqual(
      exportsOf(source).map(({ line, name }) => [name, line]),
      [
        ["a", 4],
        ["b", 5],
        ["d", 5],
        ["e", 6],
        ["F", 9],
        ["G", 10],
        ["H", 11],
        ["i", 14],
        ["j", 14],
        ["k", 15],
        ["L", 15]
      ]
    )
  })

  it("says which types another declaration names, and no more", () => {
    const source = [
      "export interface Asked {}",
      "export class Failed {}",
      "export interface Inner {}",
      "export const value = 1",
      "const own = (inner: Inner) => value",
      "export const ask = (asked: Asked): Failed => own(asked)",
      "export interface Own {",
      "  readonly next: Own",
      "}"
    ].join("\n")
    assert.deepStrictEqual(
      exportsOf(source).flatMap(({ isNamed, name }) => (isNamed ? [name] : [])),
      ["Asked", "Failed", "Inner"]
    )
  })

  it("names what is imported in every form", () => {
    const source = [
      'import x, { a, type B as C } from "./A.ts"',
      'import type { D } from "@kinora/domain/D"',
      'import * as all from "./All.ts"',
      "import {",
      "  e,",
      "  f",
      '} from "./E.ts"',
      'import "./side.ts"',
      'export { g as h } from "./G.ts"',
      'const i = await import("./I.ts")',
      'const j = new URL("../support/worker.ts", import.meta.url)',
      '// import { no } from "./No.ts"'
    ].join("\n")
    assert.deepStrictEqual(importsIn(source), [
      { specifier: "./A.ts", names: ["default", "a", "B"] },
      { specifier: "@kinora/domain/D", names: ["D"] },
      { specifier: "./All.ts", names: undefined },
      { specifier: "./E.ts", names: ["e", "f"] },
      { specifier: "./G.ts", names: ["g"] },
      { specifier: "./side.ts", names: [] },
      { specifier: "./I.ts", names: undefined },
      { specifier: "../support/worker.ts", names: undefined }
    ])
  })
})

describe("unused exports", () => {
  it("lets be what another file imports, by name, by namespace, at run time, and from another package", () => {
    const files = {
      [main]:
        'import { a } from "./app/A.ts"\nimport * as n from "./app/N.ts"\nn.one\nconst { r } = await import("./app/R.ts")\n',
      [file]: 'import { d } from "@kinora/domain/ids/D"\nexport const a = d\n',
      "packages/node/src/app/N.ts": "export const one = 1\n",
      "packages/node/src/app/R.ts": "export const r = 1\n",
      "packages/domain/src/ids/D.ts": "export const d = 1\n"
    }
    assert.deepStrictEqual(found(files), { exports: [], onlyTests: [], files: [], exceptions: [] })
  })

  it("finds what nothing imports, also when its own file uses it, and names a namespace lacks", () => {
    const { exports } = found({
      [main]: 'import * as n from "./app/A.ts"\nn.used\n',
      [file]: "export const helper = 1\nexport const used = helper\n"
    })
    assert.deepStrictEqual(exports, [`${file}:1: nothing imports helper`])
  })

  it("finds what only tests import, unless it is an exception", () => {
    const files = {
      [main]: 'import { a } from "./app/A.ts"\n',
      [file]: "export const b = 1\nexport const a = b\n",
      [test]: 'import { a, b } from "../../src/app/A.ts"\n'
    }
    assert.deepStrictEqual(found(files).onlyTests, [`${file}:1: only tests import b (${test})`])
    assert.deepStrictEqual(found(files, ["A#b"]), { exports: [], onlyTests: [], files: [], exceptions: [] })
    assert.lengthOf(found(files, ["A#b", "A#a"]).exceptions, 1)
  })

  it("finds files that no entry point reaches, those in a circle and those of tests included", () => {
    const { files } = found({
      [main]: 'import { a } from "./app/A.ts"\n',
      [file]: 'import "./B.ts"\nexport const a = 1\n',
      "packages/node/src/app/B.ts": "",
      "packages/node/src/app/C.ts": 'import { d } from "./D.ts"\nexport const c = d\n',
      "packages/node/src/app/D.ts": 'import { c } from "./C.ts"\nexport const d = c\n',
      "packages/node/src/app/T.ts": "export const t = 1\n",
      [test]: 'import { t } from "../../src/app/T.ts"\n',
      "packages/media/src/tools/S.ts": "export const s = 1\n",
      "scripts/x.ts": 'import { s } from "../packages/media/src/tools/S.ts"\n',
      "packages/node/src/app/any.d.ts": "declare module 'x' {}\n"
    })
    assert.deepStrictEqual(files, [
      "packages/node/src/app/C.ts: no entry point reaches it",
      "packages/node/src/app/D.ts: no entry point reaches it",
      "packages/node/src/app/T.ts: no entry point reaches it"
    ])
  })
})
