import { assert, describe, it } from "@effect/vitest"
import type { Delivery } from "@kinora/storage/federation/outbox/Deliveries"
import { chainsOf } from "../../../src/federation/outbox/DeliveryChains.ts"
import {
  deliveryWaitMillis,
  hostRestMillis,
  maxRetryAfterMillis,
  verdictOf
} from "../../../src/federation/outbox/DeliveryPolicy.ts"

const hour = 3_600_000

describe("what becomes of a delivery", () => {
  it.each([
    [200, "Delivered"],
    [202, "Delivered"],
    [204, "Delivered"],
    [301, "Later"],
    [400, "Refused"],
    [401, "Unsigned"],
    [403, "Unsigned"],
    [404, "Refused"],
    [408, "Later"],
    [410, "Gone"],
    [413, "Refused"],
    [429, "HostRests"],
    [500, "Later"],
    [501, "Later"],
    [502, "HostRests"],
    [503, "HostRests"],
    [504, "HostRests"],
    [522, "HostRests"]
  ])("%i means %s", (status, tag) => {
    assert.strictEqual(verdictOf(status, undefined)._tag, tag)
  })

  it("an inbox that has moved for good is given up, one that has moved for now is not", () => {
    const tags = [0, 1, 2, 3].map((failed) => [301, 302, 307, 308].map((it) => verdictOf(it, undefined, failed)._tag))
    const later = ["Later", "Later", "Later", "Later"]
    const refused = ["Refused", "Later", "Later", "Refused"]
    assert.deepStrictEqual(tags, [later, later, refused, refused])
  })

  it("honours what hosts ask for, within bounds", () => {
    assert.deepStrictEqual(verdictOf(429, 90_000), { _tag: "HostRests", failing: false, restMillis: 90_000 })
    assert.deepStrictEqual(verdictOf(503, 0), { _tag: "HostRests", failing: true, restMillis: 1_000 })
    assert.deepStrictEqual(verdictOf(503, 1e12), { _tag: "HostRests", failing: true, restMillis: maxRetryAfterMillis })
  })

  it("rests grow, end at six hours, and at a day once a host is unavailable", () => {
    assert.strictEqual(hostRestMillis(1, 0, 0.5), 20_000)
    assert.strictEqual(hostRestMillis(2, 0, 0.5), 60_000)
    assert.strictEqual(hostRestMillis(1_000, 7 * 24 * hour - 1, 0.5), 6 * hour)
    assert.strictEqual(hostRestMillis(1_000, 7 * 24 * hour, 0.5), 24 * hour)
    assert.strictEqual(hostRestMillis(1, 0, 0), 15_000)
    assert.strictEqual(hostRestMillis(1, 0, 1), 25_000)
    let tried = 0
    for (let attempts = 1, at = 0; at < 48 * hour; attempts++, tried++) at += deliveryWaitMillis(attempts, 1)
    assert.isAbove(tried, 6, "several tries within two days")
  })

  it("keeps the order of what is about one thing, and leaves out what was overtaken", () => {
    const delivery = (id: string, type: string, thing: string | null, inboxUrl = "a"): Delivery => ({
      id,
      activityId: id,
      inboxUrl,
      attempts: 0,
      thing,
      type
    })
    const { chains, superseded } = chainsOf([
      delivery("1", "Create", "x"),
      delivery("2", "Update", "x"),
      delivery("3", "Like", null),
      delivery("4", "Update", "x"),
      delivery("5", "Update", "x", "b"),
      delivery("6", "Update", "y"),
      delivery("7", "Delete", "y"),
      delivery("8", "Like", null)
    ])
    assert.deepStrictEqual(
      chains.map((chain) => chain.map(({ id }) => id)),
      [["1", "4"], ["3"], ["5"], ["7"], ["8"]]
    )
    assert.deepStrictEqual(superseded.map(({ id }) => id).toSorted(), ["2", "6"])
  })
})
