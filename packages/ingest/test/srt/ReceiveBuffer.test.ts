import { assert, describe, it } from "@effect/vitest"
import { ReceiveBuffer } from "../../src/srt/ReceiveBuffer.ts"
import { advanced, distance } from "../../src/srt/Sequence.ts"
import { randomOf, seeds } from "../support/Random.ts"

/** Packets that carry their place in the stream. */
const numbered = (place: number): Buffer => Buffer.from([place >> 8, place & 0xff])
const places = (bytes: Buffer): ReadonlyArray<number> =>
  Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(2 * index))

const drained = (buffer: ReceiveBuffer): ReadonlyArray<number> => {
  const found: Array<Buffer> = []
  for (let bytes = buffer.take(100); bytes !== undefined; bytes = buffer.take(100)) found.push(bytes)
  return places(Buffer.concat(found))
}

const upTo = (end: number) => Array.from({ length: end }, (_, index) => index)

describe("sequence numbers", () => {
  it("wrap around after 31 bits", () => {
    assert.strictEqual(advanced(0x7f_ff_ff_ff), 0)
    assert.strictEqual(advanced(0, -1), 0x7f_ff_ff_ff)
    assert.strictEqual(distance(0x7f_ff_ff_ff, 3), 4)
    assert.strictEqual(distance(3, 0x7f_ff_ff_ff), -4)
    assert.strictEqual(distance(5, 5), 0)
  })
})

describe("ReceiveBuffer", () => {
  it("gives packets in their order, however they come", () => {
    for (let seed = 0; seed < seeds(200, 5_000); seed++) {
      const random = randomOf(seed)
      const first = random.pick([0, 17, 0x7f_ff_ff_f0, 0x3f_ff_ff_f0])
      const buffer = new ReceiveBuffer(first, 256)
      const waiting = upTo(200)
      const taken: Array<number> = []
      while (waiting.length > 0) {
        // Packets of the next few, one of which may come a second time.
        const [place] = waiting.splice(random.below(Math.min(8, waiting.length)), 1) as [number]
        const sequence = advanced(first, place)
        assert.notStrictEqual(buffer.add(sequence, numbered(place), 0), false)
        assert.strictEqual(buffer.add(sequence, numbered(place), 0), false)
        if (random.below(4) === 0) taken.push(...drained(buffer))
      }
      taken.push(...drained(buffer))
      assert.deepStrictEqual(taken, upTo(200))
      assert.deepStrictEqual([buffer.hasGaps, buffer.lost, buffer.free], [false, 0, 256])
    }
  })

  it("names what is missing once, and again when it does not come", () => {
    const buffer = new ReceiveBuffer(10, 64)
    assert.strictEqual(buffer.add(10, numbered(0), 0), true)
    assert.deepStrictEqual(buffer.add(13, numbered(3), 0), { first: 11, last: 12 })
    assert.deepStrictEqual(buffer.add(15, numbered(5), 5), { first: 14, last: 14 })
    assert.deepStrictEqual(buffer.unreported(-1, 1, 10), [])
    assert.deepStrictEqual(buffer.unreported(0, 9, 10), [{ first: 11, last: 12 }])
    assert.deepStrictEqual(buffer.unreported(5, 9, 10), [{ first: 14, last: 14 }])
    assert.deepStrictEqual(buffer.unreported(9, 20, 1), [{ first: 11, last: 12 }])
    assert.deepStrictEqual(buffer.unreported(9, 20, 1), [{ first: 14, last: 14 }])
    assert.strictEqual(buffer.next, 11)
  })

  it("gives up what is too late, and what the sender has dropped", () => {
    const buffer = new ReceiveBuffer(0, 64)
    buffer.add(2, numbered(2), 100)
    buffer.add(5, numbered(5), 200)
    buffer.giveUpBefore(99)
    assert.deepStrictEqual(drained(buffer), [])
    buffer.giveUpBefore(100)
    assert.deepStrictEqual([drained(buffer), buffer.lost, buffer.next], [[2], 2, 3])
    buffer.giveUp({ first: 0, last: 3 })
    assert.deepStrictEqual([buffer.lost, buffer.next], [3, 4])
    assert.strictEqual(buffer.add(3, numbered(3), 300), false)
    buffer.add(4, numbered(4), 300)
    assert.deepStrictEqual(drained(buffer), [4, 5])
    // Nothing that has not begun is given up.
    buffer.giveUp({ first: 6, last: 0x3f_ff_ff_ff })
    assert.deepStrictEqual([buffer.lost, buffer.next], [3, 6])
  })

  it("takes no more than finds a place, and goes on behind a long silence", () => {
    const buffer = new ReceiveBuffer(0, 64)
    for (let place = 0; place < 100; place++) {
      assert.strictEqual(buffer.add(place, numbered(place), 0), place < 64)
    }
    assert.strictEqual(buffer.free, 0)
    assert.deepStrictEqual(drained(buffer), upTo(64))
    assert.strictEqual(buffer.add(1_000, numbered(1_000), 0), true)
    assert.deepStrictEqual([drained(buffer), buffer.lost], [[1_000], 1_000 - 64])
    // A gap that is open has to be closed or given up before.
    buffer.add(1_002, numbered(1_002), 5)
    assert.strictEqual(buffer.add(2_000, numbered(2_000), 5), false)
    buffer.giveUpBefore(5)
    assert.deepStrictEqual(drained(buffer), [1_002])
    assert.strictEqual(buffer.add(2_000, numbered(2_000), 5), true)
  })

  it("survives any packets and ranges", () => {
    for (let seed = 0; seed < seeds(300, 10_000); seed++) {
      const random = randomOf(seed)
      const sequence = () => random.pick([random.below(200), 0x7f_ff_ff_ff - random.below(50), random.below(2 ** 31)])
      const buffer = new ReceiveBuffer(sequence(), 64)
      for (let count = 0; count < 300; count++) {
        const choice = random.below(6)
        if (choice < 3) buffer.add(sequence(), numbered(count), count)
        else if (choice === 3) buffer.giveUp({ first: sequence(), last: sequence() })
        else if (choice === 4) buffer.giveUpBefore(count - random.below(20))
        else if (random.below(2) === 0) buffer.take(random.below(50))
        else assert.isAtMost(buffer.unreported(count, count, 5).length, 6)
        assert.isTrue(buffer.free >= 0 && buffer.free <= 64)
      }
      buffer.giveUpBefore(Number.POSITIVE_INFINITY)
      drained(buffer)
      assert.deepStrictEqual([buffer.hasGaps, buffer.free, buffer.isReadable], [false, 64, false])
    }
  })
})
