import { Result, Schema } from "effect"
import { decodeBencode } from "../metainfo/Bencode.ts"
import type { Endpoint } from "../network/Endpoint.ts"
import { readCompact } from "../network/Endpoint.ts"

/** A node of the DHT, with the id that other nodes gave it. */
export interface DhtNode {
  readonly id: Uint8Array
  readonly endpoint: Endpoint
}

/** A node's answer about a hash: peers that have it, and nodes that may know more. */
export interface DhtAnswer {
  readonly transaction: number
  readonly id: Uint8Array
  readonly peers: ReadonlyArray<Endpoint>
  readonly nodes: ReadonlyArray<DhtNode>
}

const maxMessage = 4_096
const maxNodes = 16
const maxValues = 100
const idLength = 20
const limits = { maxDepth: 4, maxValues: 500 }

const Message = Schema.Struct({
  t: Schema.Uint8Array,
  y: Schema.Uint8Array,
  r: Schema.Struct({
    id: Schema.Uint8Array,
    nodes: Schema.optionalKey(Schema.Uint8Array),
    values: Schema.optionalKey(Schema.Array(Schema.Uint8Array))
  })
})
const decodeMessage = Schema.decodeUnknownResult(Message)

const nodesOf = (bytes: Uint8Array): ReadonlyArray<DhtNode> => {
  const step = idLength + 6
  return Array.from({ length: Math.min(maxNodes, Math.floor(bytes.length / step)) }, (_, n) =>
    bytes.subarray(n * step, n * step + step)
  ).flatMap((one) =>
    readCompact(one.subarray(idLength), 4).map((endpoint) => ({ id: one.subarray(0, idLength), endpoint }))
  )
}

/** Parses an answer to `get_peers` (BEP 5). Undefined for everything else, including questions from other nodes. */
export const readDhtAnswer = (message: Uint8Array): DhtAnswer | undefined => {
  if (message.length > maxMessage) return undefined
  const decoded = decodeMessage(decodeBencode(message, limits))
  if (Result.isFailure(decoded)) return undefined
  const { r, t, y } = decoded.success
  if (y.length !== 1 || y[0] !== 0x72 || t.length !== 4 || r.id.length !== idLength) return undefined
  const values = (r.values ?? []).filter((it) => it.length === 6).slice(0, maxValues)
  return {
    transaction: Buffer.from(t).readUInt32BE(0),
    id: r.id,
    peers: values.flatMap((it) => readCompact(it, 4)),
    nodes: nodesOf(r.nodes ?? new Uint8Array())
  }
}

/** Asks for the peers of a hash, as a read-only node (BEP 43). */
export const dhtQuestion = (transaction: number, id: Uint8Array, infoHash: Uint8Array): Buffer => {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(transaction)
  return Buffer.concat([
    Buffer.from("d1:ad2:id20:"),
    id,
    Buffer.from("9:info_hash20:"),
    infoHash,
    Buffer.from("e1:q9:get_peers2:roi1e1:t4:"),
    number,
    Buffer.from("1:y1:qe")
  ])
}
