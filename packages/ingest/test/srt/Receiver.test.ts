import { assert, describe, it } from "@effect/vitest"
import { Receiver, type ReceiverOptions } from "../../src/srt/Receiver.ts"
import { advanced } from "../../src/srt/Sequence.ts"
import { type ControlPacket, controlBytes, controlType, type DataPacket, readPacket } from "../../src/srt/SrtPacket.ts"
import { type Random, randomOf, seeds } from "../support/Random.ts"
import { dataPacket } from "../support/SrtCaller.ts"

const first = 0x7f_ff_ff_00

const receiving = (options: Partial<ReceiverOptions> = {}) => {
  const sent: Array<ControlPacket> = []
  const receiver = new Receiver(
    {
      ...{ peer: 9, first, latency: 500, capacity: 1024, peerTime: 5_000, decryption: undefined },
      send: (bytes) => sent.push(readPacket(bytes) as ControlPacket),
      ...options
    },
    0
  )
  const of = (type: number) => sent.filter((packet) => packet.type === type)
  return { receiver, sent, of }
}

const data = (place: number): DataPacket =>
  readPacket(dataPacket(1, advanced(first, place), Buffer.from([place >> 8, place & 0xff]))) as DataPacket

const control = (type: number, info = 0, body?: Uint8Array): ControlPacket =>
  readPacket(
    controlBytes({ type, info, time: 0, socketId: 1, ...(body === undefined ? {} : { body }) })
  ) as ControlPacket

/** The sequence numbers of a loss report. */
const reported = ({ body }: ControlPacket): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = 0; at < body.length; at += 4) {
    const word = body.readUInt32BE(at)
    if (word < 0x80_00_00_00) found.push(word)
    else {
      at += 4
      for (let one = word & 0x7f_ff_ff_ff; ; one = advanced(one)) {
        found.push(one)
        if (one === body.readUInt32BE(at)) break
      }
    }
  }
  return found
}

/**
 * A publisher of a packet a millisecond, that repeats what is reported, and a network with a delay of 15 ms that loses and mixes
 * up packets in both directions. A packet is waited for long enough that thirty reports of it cannot all be lost.
 */
const transmission = (packets: number, lost: number, random: Random) => {
  const { receiver, sent } = receiving({ latency: 2_000, capacity: 4_096 })
  const arrivals: Array<{ readonly at: number; readonly packet: DataPacket | ControlPacket }> = []
  const bytes: Array<Buffer> = []
  let seen = 0
  const transmit = (packet: DataPacket | ControlPacket, now: number) => {
    if (random.below(100) >= lost) arrivals.push({ at: now + 15 + random.below(5), packet })
  }
  const placeOf = (sequence: number) => (sequence - first) & 0x7f_ff_ff_ff
  for (let now = 0; now < packets + 4_000; now++) {
    if (now < packets) transmit(data(now), now)
    for (const { packet } of arrivals.filter(({ at }) => at === now)) {
      if (packet.kind === "data") receiver.data(packet, now)
      else receiver.control(packet, now)
    }
    if (now % 10 === 0) receiver.tick(now)
    for (; seen < sent.length; seen++) {
      const answer = sent[seen]!
      if (random.below(100) < lost) continue
      if (answer.type === controlType.nak) {
        for (const sequence of reported(answer)) transmit(data(placeOf(sequence)), now)
      } else if (answer.type === controlType.ack && answer.info !== 0) {
        transmit(control(controlType.ackAck, answer.info), now)
      }
    }
    for (let taken = receiver.take(1_000); taken !== undefined; taken = receiver.take(1_000)) bytes.push(taken)
    // The sender repeats the last packets by itself when no acknowledgement comes.
    if (now === packets + 100) for (let place = packets - 20; place < packets; place++) transmit(data(place), now)
  }
  return { places: Buffer.concat(bytes), lost: receiver.lost }
}

describe("Receiver", () => {
  it("makes a stream whole again over a network that loses packets", () => {
    for (let seed = 0; seed < seeds(10, 200); seed++) {
      const { lost, places } = transmission(1_500, [0, 2, 10, 30][seed % 4]!, randomOf(seed))
      const expected = Buffer.concat(
        Array.from({ length: 1_500 }, (_, place) => Buffer.from([place >> 8, place & 0xff]))
      )
      assert.isTrue(places.subarray(0, 2 * 1_470).equals(expected.subarray(0, 2 * 1_470)), `seed ${seed}`)
      assert.isBelow(lost, 30)
    }
  })

  it("acknowledges every 10 ms while there is something new, and until the peer has read it", () => {
    const { of, receiver } = receiving()
    receiver.tick(10)
    assert.strictEqual(of(controlType.ack).length, 0)
    receiver.data(data(0), 12)
    receiver.tick(20)
    const [ack] = of(controlType.ack)
    assert.strictEqual(ack?.info, 1)
    assert.strictEqual(ack.body.readUInt32BE(0), advanced(first, 1))
    assert.deepStrictEqual([ack.body.readUInt32BE(4), ack.body.readUInt32BE(8)], [100_000, 50_000])
    assert.strictEqual(ack.body.readUInt32BE(12), 1_023)
    receiver.tick(30)
    assert.strictEqual(of(controlType.ack).length, 1)
    receiver.tick(330)
    assert.strictEqual(of(controlType.ack).length, 2)
    receiver.control(control(controlType.ackAck, 2), 350)
    receiver.tick(1_000)
    assert.strictEqual(of(controlType.ack).length, 2)
    receiver.data(data(1), 1_001)
    receiver.tick(1_010)
    // Twenty milliseconds were measured.
    assert.strictEqual(of(controlType.ack)[2]!.body.readUInt32BE(4), 20_000)
    for (let place = 2; place < 66; place++) receiver.data(data(place), 1_011)
    const light = of(controlType.ack)[3]!
    assert.deepStrictEqual([light.info, light.body.length, light.body.readUInt32BE(0)], [0, 4, advanced(first, 66)])
  })

  it("reports loss at once, and again while it lasts, and gives up in time", () => {
    const { of, receiver } = receiving()
    receiver.data(data(0), 0)
    receiver.data(data(3), 1)
    assert.deepStrictEqual(of(controlType.nak).map(reported), [[advanced(first, 1), advanced(first, 2)]])
    for (let now = 10; now <= 500; now += 10) receiver.tick(now)
    assert.isAbove(of(controlType.nak).length, 2)
    assert.strictEqual(receiver.take(100)?.length, 2)
    assert.isUndefined(receiver.take(100))
    receiver.tick(510)
    assert.strictEqual(receiver.take(100)?.length, 2)
    assert.strictEqual(receiver.lost, 2)
  })

  it("ends when the peer closes, with all that has come, and when nothing comes", () => {
    const closed = receiving()
    closed.receiver.data(data(1), 0)
    closed.receiver.control(control(controlType.shutdown), 1)
    assert.strictEqual(closed.receiver.end, "closed")
    assert.strictEqual(closed.receiver.take(100)?.length, 2)
    const gone = receiving()
    for (let now = 0; now <= 5_000; now += 10) gone.receiver.tick(now)
    assert.isUndefined(gone.receiver.end)
    assert.strictEqual(gone.of(controlType.keepAlive).length, 5)
    gone.receiver.control(control(controlType.keepAlive), 5_001)
    gone.receiver.tick(10_000)
    assert.isUndefined(gone.receiver.end)
    gone.receiver.tick(10_010)
    assert.strictEqual(gone.receiver.end, "lost")
  })

  it("survives any packets", () => {
    for (let seed = 0; seed < seeds(200, 5_000); seed++) {
      const random = randomOf(seed)
      const { receiver, sent } = receiving({ capacity: 64 })
      for (let now = 0; now < 300; now++) {
        const bytes = random.bytes(random.pick([16, 20, 24, 60]))
        bytes.writeUInt32BE(random.pick([advanced(first, random.below(200)), bytes.readUInt32BE(0)]), 0)
        if (random.below(3) === 0) bytes.writeUInt32BE((0x80_00_00_00 | (random.below(9) << 16)) >>> 0, 0)
        const packet = readPacket(bytes)!
        if (packet.kind === "data") receiver.data(packet, now)
        else receiver.control(packet, now)
        if (now % 10 === 0) receiver.tick(now)
        if (random.below(20) === 0) receiver.take(100)
      }
      for (const { body } of sent) assert.isAtMost(body.length, 1_456)
    }
  })
})
