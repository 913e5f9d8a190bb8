import { assert, describe, it } from "@effect/vitest"
import { continued, inQueue } from "../../src/playlists/PlaylistQueue.ts"
import { indexAt, moveOf } from "../../src/playlists/Order.ts"
import { readOptions } from "../../src/player/Options.ts"

describe("the order of a playlist", () => {
  it("is changed as the API takes it: behind a place, 0 being before the first", () => {
    assert.deepStrictEqual(moveOf(0, 2), { startPosition: 1, insertAfterPosition: 3 })
    assert.deepStrictEqual(moveOf(2, 0), { startPosition: 3, insertAfterPosition: 0 })
    assert.deepStrictEqual(moveOf(3, 2), { startPosition: 4, insertAfterPosition: 2 })
    assert.isUndefined(moveOf(1, 1))
  })

  it("puts what is held behind everything whose middle is above it", () => {
    const heights = [-5, 10, 25, 99]
    assert.deepStrictEqual(
      heights.map((height) => indexAt([0, 20, 40], height)),
      [0, 1, 2, 3]
    )
  })
})

describe("the queue of a playlist", () => {
  const queue = { position: 2, previous: undefined, start: 12, stop: 20, next: undefined }

  it("begins where the place begins, unless the address says otherwise", () => {
    assert.strictEqual(inQueue(readOptions("", { autoplay: true }), queue).start, 12)
    assert.strictEqual(inQueue(readOptions("?start=3", { autoplay: true }), queue).start, 3)
    assert.isUndefined(inQueue(readOptions("", { autoplay: true }), undefined).start)
  })

  it("goes on with what the address asks of the player, and plays", () => {
    const next = "/w/p/abc?playlistPosition=3"
    assert.strictEqual(
      continued(next, "https://videos.example/w/p/abc?playlistPosition=2&start=9&muted=1"),
      "https://videos.example/w/p/abc?playlistPosition=3&muted=1&autoplay=1"
    )
    assert.strictEqual(
      continued(next, "https://videos.example/w/p/abc?autoplay=0"),
      "https://videos.example/w/p/abc?playlistPosition=3&autoplay=1"
    )
  })
})
