import { assert, describe, it } from "vitest"
import { channelAddressOf, sourceOf } from "../../src/pages/imports/Source.ts"

const both = { http: true, torrent: true }
const magnet = `magnet:?xt=urn:btih:${"ab".repeat(20)}`

describe("the source of an import", () => {
  it("is an address or a magnet link", () => {
    assert.deepStrictEqual(sourceOf(" https://example.org/a.mp4 ", both), { targetUrl: "https://example.org/a.mp4" })
    assert.deepStrictEqual(sourceOf(magnet, both), { magnetUri: magnet })
  })
  it("says what is wrong with it", () => {
    for (const text of ["", "a", "example.org", "ftp://example.org/a", `https://example.org/${"a".repeat(2000)}`]) {
      assert.strictEqual(sourceOf(text, both), "addressWrong", text)
    }
    assert.strictEqual(sourceOf("magnet:?dn=x", both), "magnetWrong")
  })
  it("is of a kind that the server imports", () => {
    assert.strictEqual(sourceOf("https://example.org/a", { http: false, torrent: true }), "addressesOff")
    assert.strictEqual(sourceOf(magnet, { http: true, torrent: false }), "magnetsOff")
    assert.strictEqual(sourceOf("a", { http: false, torrent: true }), "magnetWrong")
  })
  it("of a channel is an address alone", () => {
    assert.strictEqual(channelAddressOf(" https://example.org/c "), "https://example.org/c")
    assert.isUndefined(channelAddressOf(magnet))
  })
})
