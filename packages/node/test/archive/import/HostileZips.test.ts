import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { jsonItems, jsonLimits } from "../../../src/archive/import/JsonItems.ts"
import { referencedName } from "../../../src/archive/import/context/Archive.ts"
import { opened, rawZip, zipOf } from "./ZipMaker.ts"

const mebibyte = 1024 ** 2

describe("hostile archives", () => {
  it.effect("a good one is opened, and its files are read", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* opened(zipOf({ "peertube/likes.json": { likes: [] }, "files/a/b.jpg": "xyz" })),
        "opened"
      )
      assert.strictEqual(yield* opened(zipOf({ "files/a/b.jpg": "xyz" }), "files/a/b.jpg"), 3)
      assert.match(String(yield* opened(zipOf({ a: "xyz" }), "b")), /has no b/)
      assert.match(String(yield* opened(zipOf({ a: "xyz" }), "a", 2)), /larger than it may be/)
    })
  )

  it.effect("what is no archive is refused", () =>
    Effect.gen(function* () {
      for (const bytes of [
        Buffer.from(""),
        Buffer.from("PK"),
        Buffer.alloc(mebibyte, 7),
        zipOf({ a: "b" }).subarray(0, 40)
      ]) {
        assert.match(String(yield* opened(bytes)), /not a zip archive/)
      }
      assert.match(String(yield* opened(rawZip([{ name: "a", flags: 0x0801 }]))), /encrypted|damaged/)
      assert.match(String(yield* opened(rawZip([{ name: "a", method: 12 }]))), /not known/)
    })
  )

  it.effect("ZIP-01: bombs are not unpacked, whatever they say of themselves", () =>
    Effect.gen(function* () {
      const zeros = Buffer.alloc(8 * mebibyte)
      assert.match(String(yield* opened(rawZip([{ name: "a", data: zeros }]))), /beyond measure/)
      // Said to be small: no more than that is ever unpacked.
      assert.match(String(yield* opened(rawZip([{ name: "a", data: zeros, size: 1000 }]), "a")), /damaged/)
      const many = Array.from({ length: 90 }, (_, n) => ({ name: `${n}`, data: "x", size: mebibyte }))
      assert.match(String(yield* opened(rawZip(many))), /archive grows beyond measure/)
    })
  )

  it.effect("ZIP-03: overlapping files, lies of zip64 and too many files are refused", () =>
    Effect.gen(function* () {
      const same = rawZip([
        { name: "a", data: "one and the same" },
        { name: "b", data: "one and the same", offset: 0 }
      ])
      assert.match(String(yield* opened(same)), /lie over each other/)
      const quoted = rawZip([
        { name: "a", data: "abc" },
        { name: "b", data: "defg", offset: 10 }
      ])
      assert.match(String(yield* opened(quoted)), /lie over each other/)
      const lie = { name: "a", data: "x", zip64: [2n ** 52n, 1n] } as const
      assert.match(String(yield* opened(rawZip([lie]))), /beyond measure|damaged/)
      const larger = { name: "a", data: "x", zip64: [2n ** 40n, 2n ** 40n] } as const
      assert.match(String(yield* opened(rawZip([larger]))), /larger than the archive|damaged/)
      const nested = zipOf({ "inner.zip": zipOf({ "peertube/account.json": {} }) })
      assert.match(String(yield* opened(nested, "peertube/account.json")), /has no/)
    })
  )

  it.effect("ZIP-03: a list that says it holds a million files is not read", () =>
    Effect.gen(function* () {
      const bytes = rawZip([{ name: "a" }])
      const end = bytes.length - 22
      const record = Buffer.alloc(56 + 20)
      record.writeUInt32LE(0x06064b50, 0)
      record.writeBigUInt64LE(44n, 4)
      record.writeBigUInt64LE(1_000_000n, 24)
      record.writeBigUInt64LE(1_000_000n, 32)
      record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 12)), 40)
      record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48)
      record.writeUInt32LE(0x07064b50, 56)
      record.writeBigUInt64LE(BigInt(end), 64)
      record.writeUInt32LE(1, 72)
      const last = Buffer.from(bytes.subarray(end))
      last.writeUInt16LE(0xffff, 8)
      last.writeUInt16LE(0xffff, 10)
      const whole = Buffer.concat([bytes.subarray(0, end), record, last])
      assert.match(String(yield* opened(whole)), /more than 100000 files/)
    })
  )

  it.effect("ZIP-04: names that lead out of it, links and names that come twice are refused", () =>
    Effect.gen(function* () {
      for (const name of [
        "../../etc/x",
        "files/../../x",
        "/etc/x",
        "C:/x",
        "c:x",
        "a\\b",
        "a\u0000.json",
        "a//b",
        "./a",
        "a/./b",
        "a\nb",
        "x".repeat(600),
        Buffer.from([0x61, 0xff, 0xfe])
      ]) {
        assert.match(String(yield* opened(rawZip([{ name, data: "x" }]))), /name/, String(name))
      }
      assert.match(String(yield* opened(rawZip([{ name: "a", data: "/etc/passwd", mode: 0o120777 }]))), /links/)
      assert.match(String(yield* opened(rawZip([{ name: "a", mode: 0o010644 }]))), /links/)
      for (const twin of ["a", "A"]) {
        assert.match(String(yield* opened(rawZip([{ name: "a" }, { name: twin, data: "2" }]))), /same name/)
      }
    })
  )

  it("files are found by the names that JSON beside them tells, in the archive and nowhere else", () => {
    assert.strictEqual(referencedName("../files/videos/a.mp4"), "files/videos/a.mp4")
    assert.strictEqual(referencedName("a.json"), "peertube/a.json")
    for (const told of [
      "../../etc/passwd",
      "/etc/passwd/../../..",
      "../../../x",
      7,
      null,
      undefined,
      "x".repeat(2000)
    ]) {
      const name = referencedName(told)
      assert.isTrue(name === undefined || !name.startsWith(".."), String(told))
    }
  })
})

const itemsOf = (parts: ReadonlyArray<string | Uint8Array>) =>
  Stream.runCollect(
    jsonItems(Stream.fromIterable(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part))))
  ).pipe(
    Effect.map((found) => found.map(({ list, text }) => `${list}:${text}`)),
    Effect.catchTag("ArchiveRefused", ({ message }) => Effect.succeed(message))
  )

describe("JSON of archives", () => {
  it.effect("is cut into items wherever it is broken into parts", () =>
    Effect.gen(function* () {
      const text = `{ "a": [ {"x": "]},{\\"["}, 1 , "t,\\\\" ,[1,[2]]], "b":{"c":[9]}, "n": 3, "s":"[", "d" : [ ] , "é":[{"ü":"🎈"}]}`
      const expected = [`a:{"x": "]},{\\"["}`, "a:1 ", `a:"t,\\\\" `, "a:[1,[2]]", `é:{"ü":"🎈"}`]
      assert.deepStrictEqual(yield* itemsOf([text]), expected)
      const bytes = Buffer.from(text)
      for (let at = 1; at < bytes.length; at++) {
        assert.deepStrictEqual(yield* itemsOf([bytes.subarray(0, at), bytes.subarray(at)]), expected, String(at))
      }
    })
  )

  it.effect("ZIP-06: that is none, or without end, is not read on", () =>
    Effect.gen(function* () {
      for (const text of ["[]", "x", `{"a":[1`, `{"a":["`, `{"a":[{}]}}`, ""]) {
        const found = yield* itemsOf([text])
        assert.isTrue(typeof found === "string" || found.length === 0, text)
      }
      assert.match(String(yield* itemsOf([Buffer.from([0x7b, 0xff])])), /UTF-8/)
      const long = `{"a":["${"x".repeat(mebibyte)}`
      assert.match(String(yield* itemsOf([long, "y".repeat(mebibyte), "z".repeat(mebibyte)])), /too long/)
      const many = `{"a":[${"1,".repeat(jsonLimits.items)}1]}`
      assert.match(String(yield* itemsOf([many])), /more than 100000/)
      assert.match(String(yield* itemsOf([`{"${"k".repeat(2000)}`, "k"])), /no JSON/)
    })
  )
})
