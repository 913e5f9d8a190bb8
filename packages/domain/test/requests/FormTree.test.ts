import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { formTree } from "../../src/requests/FormTree.ts"

const parse = (query: string) => formTree(query.split("&").map((pair) => pair.split("=") as [string, string]))
const tree = (query: string) => Result.getOrThrow(parse(query))

describe("formTree", () => {
  it("reads the three ways to write a list", () => {
    for (const query of ["a=1&a=2", "a[]=1&a[]=2", "a[0]=1&a[1]=2", "a=1&a[]=2"]) {
      assert.deepStrictEqual(tree(query), { a: ["1", "2"] }, query)
    }
    assert.deepStrictEqual(tree("a[]=1"), { a: ["1"] })
    assert.deepStrictEqual(tree("a=1"), { a: "1" })
  })

  it("reads objects, and lists of objects", () => {
    assert.deepStrictEqual(tree("s[updateAt]=x&s[privacy]=1"), { s: { updateAt: "x", privacy: "1" } })
    assert.deepStrictEqual(tree("t[0][a]=1&t[0][b]=2&t[1][a]=3"), {
      t: [{ a: "1", b: "2" }, { a: "3" }]
    })
  })

  it("keeps names that are no trees as they are, and ignores malformed ones", () => {
    assert.deepStrictEqual(tree("a]=1&b[=2&[c]=3"), { "a]": "1" })
  })

  it("makes no long sparse lists", () => {
    assert.deepStrictEqual(tree("a[9999]=1"), { a: ["1"] })
    assert.deepStrictEqual(tree("a[99999]=1"), { a: { "99999": "1" } })
  })

  it("refuses what reaches into prototypes, nests too deep or has too many fields", () => {
    for (const query of ["__proto__=1", "a[__proto__][b]=1", "constructor[prototype][b]=1", "a[b][c][d][e]=1"]) {
      assert.isTrue(Result.isFailure(parse(query)), query)
    }
    assert.isTrue(Result.isFailure(parse(Array.from({ length: 10_000 }, () => "a[]=1").join("&"))))
    assert.isUndefined(({} as Record<string, unknown>)["b"])
  })
})
