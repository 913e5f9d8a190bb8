import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { createHash } from "node:crypto"
import { bencode } from "../../src/metainfo/BencodeWriter.ts"
import { pieceLengthFor, Torrent } from "../../src/metainfo/Torrent.ts"

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1")

describe("Bencode", () => {
  it("writes every kind of value", () => {
    assert.strictEqual(text(bencode(-42)), "i-42e")
    assert.strictEqual(text(bencode("spam")), "4:spam")
    assert.strictEqual(text(bencode("ü")), "2:Ã¼")
    assert.strictEqual(text(bencode(["a", 1, []])), "l1:ai1elee")
    assert.strictEqual(
      text(bencode({ b: 1, a: "x", B: new Uint8Array([0, 255]), no: undefined })),
      "d1:B2:\0ÿ1:a1:x1:bi1ee"
    )
  })
})

layer(Torrent.layer.pipe(Layer.provideMerge(NodeServices.layer)))("Torrent", (it) => {
  it.effect("hashes pieces and info as other clients do", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const file = `${folder}/file.mp4`
      const bytes = Buffer.alloc(16384 * 2 + 5, "kinora")
      yield* fs.writeFile(file, bytes)
      const torrent = yield* (yield* Torrent).create({
        file,
        name: "Video.mp4",
        announce: ["http://a/announce", "ws://a/socket"],
        webSeeds: ["http://a/file.mp4"]
      })
      assert.strictEqual(torrent.pieceLength, 16384)
      const sha1 = (part: Uint8Array) => createHash("sha1").update(part).digest()
      const pieces = [0, 1, 2].map((index) => sha1(bytes.subarray(index * 16384, (index + 1) * 16384)))
      const info = Buffer.concat([
        Buffer.from("d6:lengthi32773e4:name9:Video.mp412:piece lengthi16384e6:pieces60:"),
        ...pieces,
        Buffer.from("e")
      ])
      assert.strictEqual(torrent.infoHash, sha1(info).toString("hex"))
      assert.strictEqual(
        text(torrent.bytes),
        `d8:announce17:http://a/announce13:announce-listll17:http://a/announceel13:ws://a/socketee10:created by6:Kinora` +
          `4:info${info.toString("latin1")}8:url-listl17:http://a/file.mp4ee`
      )
    })
  )

  it("keeps the number of pieces reasonable", () => {
    assert.strictEqual(pieceLengthFor(1), 16384)
    assert.strictEqual(pieceLengthFor(1024 ** 3), 1024 ** 2)
    assert.strictEqual(pieceLengthFor(50 * 1024 ** 3), 4 * 1024 ** 2)
  })
})
