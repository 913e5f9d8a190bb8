import { assert, describe, it } from "@effect/vitest"
import { sampleCodec } from "../../src/hls/CodecNames.ts"

const text = (word: string) => [...word].map((letter) => letter.charCodeAt(0))
const size = (bytes: number) => [bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255]
const box = (type: string, content: ReadonlyArray<number>) => [...size(content.length + 8), ...text(type), ...content]
const fields = (count: number) => Array.from({ length: count }, () => 0)

const picture = (type: string, configuration: string, content: ReadonlyArray<number>) => {
  const bytes = new Uint8Array(box(type, [...fields(78), ...box(configuration, content)]))
  return sampleCodec(bytes, { type, start: 0, content: 8, end: bytes.length })?.codec
}

/** Names as MDN, Apple's authoring specification and the codecs' bindings spell them for these configurations. */
const names: ReadonlyArray<readonly [name: string | undefined, type: string, box: string, content: Array<number>]> = [
  ["avc1.640028", "avc1", "avcC", [1, 0x64, 0, 0x28, 0xff]],
  ["avc1.42c01e", "avc1", "avcC", [1, 0x42, 0xc0, 0x1e, 0xff]],
  ["hvc1.1.6.L93.B0", "hvc1", "hvcC", [1, 0x01, 0x60, 0, 0, 0, 0xb0, 0, 0, 0, 0, 0, 93, 0xf0]],
  ["hev1.2.4.H153.90", "hev1", "hvcC", [1, 0x22, 0x20, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 153, 0xf0]],
  ["hvc1.A4.10.L120.9D.8", "hvc1", "hvcC", [1, 0x44, 0x08, 0, 0, 0, 0x9d, 8, 0, 0, 0, 0, 120, 0xf0]],
  ["av01.0.04M.08", "av01", "av1C", [0x81, 0x04, 0x0c, 0]],
  ["av01.0.13H.10", "av01", "av1C", [0x81, 0x0d, 0xcc, 0]],
  ["av01.2.15M.12", "av01", "av1C", [0x81, 0x4f, 0x60, 0]],
  ["vp09.00.31.08", "vp09", "vpcC", [1, 0, 0, 0, 0, 31, 0x82, 1, 1, 1, 0, 0]],
  ["vp09.02.51.10", "vp09", "vpcC", [1, 0, 0, 0, 2, 51, 0xa2, 9, 16, 9, 0, 0]],
  [undefined, "mp4v", "esds", [0, 0, 0, 0]]
]

describe("CodecNames", () => {
  for (const [name, type, configuration, content] of names) {
    it(`${name ?? "nothing"} is the name of ${type} ${content.map((byte) => byte.toString(16)).join(" ")}`, () => {
      assert.strictEqual(picture(type, configuration, content), name)
    })
  }

  it("knows sound", () => {
    const bytes = new Uint8Array(box("Opus", [...fields(28), ...box("dOps", fields(11))]))
    assert.deepStrictEqual(sampleCodec(bytes, { type: "Opus", start: 0, content: 8, end: bytes.length }), {
      kind: "audio",
      codec: "opus"
    })
  })
})
