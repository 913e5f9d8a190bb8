import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { decodeBencode, scanBencode } from "../../src/metainfo/Bencode.ts"
import { readMagnet } from "../../src/metainfo/Magnet.ts"
import { torrentLimits } from "../../src/metainfo/TorrentLimits.ts"
import { downloading } from "../support/Downloading.ts"
import { type Bencodable, bencode, infoOf, torrentOf } from "../support/MakeTorrent.ts"

const bytesOf = (text: string) => Buffer.from(text, "latin1")
const video = (name: string, size = 10) => ({ path: [name], bytes: Buffer.alloc(size, 1) })

describe("bencode", () => {
  it("refuses what the library hangs on, overflows by, or takes for something else", () => {
    const refused = [
      "",
      "e",
      "i",
      "ie",
      "i-e",
      "i1",
      "i01e",
      "i1.5e",
      "i9999999999999999e",
      "1",
      "1:",
      "2:a",
      "-1:a",
      "01:a"
    ]
    const lists = ["l", "l-3:e", "le ", "d", "di1ei2ee", "d1:ae", "d1:ai1e1:ai2ee", "d9:__proto__dee", "l".repeat(200)]
    for (const text of [...refused, ...lists]) assert.isUndefined(decodeBencode(bytesOf(text)), text)
    assert.isUndefined(decodeBencode(bytesOf(`l${"i1e".repeat(200_000)}e`)))
    assert.deepEqual(decodeBencode(bytesOf("d1:ali-5e2:xyee")), { a: [-5, Uint8Array.from(bytesOf("xy"))] })
  })

  it("tells where a value ends and where the entries are", () => {
    const scan = scanBencode(bytesOf("d1:ai1e4:infod1:bleeetail"))
    assert.strictEqual(scan?.end, 21)
    assert.deepEqual(scan?.entries.get("info"), { start: 13, end: 20 })
    assert.deepEqual([...(scan?.entries.keys() ?? [])], ["a", "info"])
  })

  it("ends for any bytes, and reads what was written", () => {
    const value = fc.letrec<{ any: Bencodable }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.uint8Array({ maxLength: 20 }),
        fc.array(tie("any"), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z ]{1,9}$/), tie("any"), { maxKeys: 4, noNullPrototype: true })
      )
    })).any
    fc.assert(
      fc.property(value, fc.nat(), fc.integer({ min: 0, max: 255 }), (any, at, byte) => {
        const bytes = bencode(any)
        assert.deepEqual(bencode(decodeBencode(bytes) as Bencodable), bytes)
        bytes[at % bytes.length] = byte
        decodeBencode(bytes)
      }),
      { numRuns: 300 }
    )
  })
})

describe("torrent files", () => {
  const read = (bytes: Uint8Array) => Effect.flatMap(downloading(), (downloads) => downloads.read(bytes))

  it.live("are read", () =>
    Effect.gen(function* () {
      const made = torrentOf(infoOf([video("a.mp4", 40_000)], 16_384), { announce: "http://127.0.0.1/" })
      assert.deepStrictEqual(yield* read(made.torrent), {
        name: "a.mp4",
        infoHash: made.infoHash,
        files: [{ name: "a.mp4", size: 40_000 }]
      })
    }).pipe(Effect.scoped)
  )

  it.live("name nothing but data: no folders, roots, drives, control or direction characters (ZIP-04)", () =>
    Effect.gen(function* () {
      const names: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["..", "..", "etc", "x.mp4"], "x.mp4"],
        [["../../etc/x.mp4"], "x.mp4"],
        [["/etc/x.mp4"], "x.mp4"],
        [["C:\\windows\\x.mp4"], "x.mp4"],
        [["x\0\n\r\u001b[31m.mp4"], "x[31m.mp4"],
        [["x\u202e4pm.mp4"], "x4pm.mp4"],
        [[".."], ".."]
      ]
      for (const [path, shown] of names) {
        const info = infoOf([{ path, bytes: Buffer.alloc(5) }], 16_384, "../..")
        const facts = yield* read(torrentOf(info).torrent)
        assert.strictEqual(facts.files[0]?.name, shown)
        assert.strictEqual(facts.name, "..")
      }
    }).pipe(Effect.scoped)
  )

  it.live("are refused when they are broken, of version 2 alone, or beyond the limits", () =>
    Effect.gen(function* () {
      const info = infoOf([video("a.mp4", 40_000)], 16_384)
      const { pieces: _, ...without } = info
      const { name: _name, ...nameless } = info
      const cases: ReadonlyArray<readonly [string, Uint8Array]> = [
        ["syntax", Buffer.alloc(0)],
        ["syntax", bytesOf("<html>")],
        ["syntax", bytesOf("d4:infoi1ee")],
        ["syntax", bytesOf("l-3:e")],
        ["syntax", Buffer.concat([torrentOf(info).torrent, bytesOf("x")])],
        ["syntax", torrentOf(nameless).torrent],
        ["syntax", torrentOf({ ...info, length: -1 }).torrent],
        ["syntax", torrentOf({ ...info, files: [{ length: 1, path: ["a"] }] }).torrent],
        ["version", torrentOf({ ...without, "meta version": 2, "file tree": {} }).torrent],
        ["pieces", torrentOf({ ...info, "piece length": 0 }).torrent],
        ["pieces", torrentOf({ ...info, "piece length": torrentLimits.piece + 1 }).torrent],
        ["pieces", torrentOf({ ...info, length: 900_000_000_000_000 }).torrent],
        ["pieces", torrentOf({ ...info, length: 10 }).torrent],
        ["size", torrentOf({ ...info, length: 0 }).torrent],
        ["size", Buffer.alloc(torrentLimits.torrent + 1)]
      ]
      for (const [why, bytes] of cases) {
        const error = yield* Effect.flip(read(bytes))
        assert.strictEqual(error.why, why, bytes.subarray(0, 60).toString())
      }
    }).pipe(Effect.scoped)
  )

  it.live("have exactly one usable file, no larger than the caller takes", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const of = (...names: ReadonlyArray<string>) =>
        Effect.flip(
          downloads.download({
            source: {
              torrent: torrentOf(
                infoOf(
                  names.map((it) => video(it)),
                  16_384,
                  "folder"
                )
              ).torrent
            },
            file: "/nowhere/x",
            maxBytes: 9,
            extensions: [".mp4", ".mkv"]
          })
        )
      for (const names of [["a.txt"], ["a.avi"], ["mp4"], ["a.mp4.exe"]]) {
        assert.deepInclude(yield* of(...names), { _tag: "TorrentFilesWrong", usable: 0 }, names[0])
      }
      assert.deepInclude(yield* of("a.mp4", "b.MKV"), { _tag: "TorrentFilesWrong", usable: 2 })
      assert.deepInclude(yield* of("sample.mp4", "a.sample.mkv"), { _tag: "TorrentFilesWrong", usable: 2 })
      for (const names of [["a.mp4", "a.txt"], ["a.mkv", "sample.mkv"], ["resampled.mp4"], ["Sample.mp4"]]) {
        assert.deepInclude(yield* of(...names), { _tag: "TorrentTooLarge", size: 10, maxBytes: 9 }, names[0])
      }
    }).pipe(Effect.scoped)
  )
})

describe("magnet addresses", () => {
  const hash = "0123456789abcdef0123456789abcdef01234567"

  it.effect("are read", () =>
    Effect.gen(function* () {
      const tr = encodeURIComponent("https://tracker.example/announce?key=a&b=c")
      const magnet = yield* readMagnet(
        `magnet:?dn=a%20b&xt=urn%3Abtih%3A${hash.toUpperCase()}&tr.1=${tr}&tr=udp%3A%2F%2Fa.example%3A1337&ws=https://a.example/b&x.pe=10.0.0.1:1234&xs=https%3A%2F%2Fa.example%2Ft`
      )
      assert.deepStrictEqual(magnet, {
        infoHash: hash,
        sources: {
          trackers: ["https://tracker.example/announce?key=a&b=c", "udp://a.example:1337"],
          webSeeds: ["https://a.example/b"],
          peers: ["10.0.0.1:1234"]
        },
        exactSources: ["https://a.example/t"]
      })
      const base32 = yield* readMagnet("magnet:?xt=urn:btih:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH")
      assert.strictEqual(base32.infoHash, hash)
    })
  )

  it.effect("are refused when they are broken, and cannot make the library do much", () =>
    Effect.gen(function* () {
      const texts: ReadonlyArray<readonly [string, string]> = [
        ["syntax", ""],
        ["syntax", "https://a.example/"],
        ["syntax", "magnet:?"],
        ["syntax", "magnet:?xt=urn:btih:xyz"],
        ["syntax", `magnet:?xt=urn:btih:${"z".repeat(40)}`],
        ["syntax", `magnet:?xt=urn:btih:${"!".repeat(32)}`],
        ["syntax", `magnet:?dn=%&xt=%`],
        ["syntax", `magnet:?${"tr=a&".repeat(10_000)}`],
        ["version", `magnet:?xt=urn:btmh:1220${"ab".repeat(32)}`]
      ]
      for (const [why, text] of texts) {
        assert.strictEqual((yield* Effect.flip(readMagnet(text))).why, why, text.slice(0, 60))
      }
      const magnet = yield* readMagnet(`magnet:?xt=urn:btih:${hash}&so=0-4000000000&__proto__=a&dn=%&tr=%`)
      assert.strictEqual(magnet.infoHash, hash)
    })
  )
})
