import { type AmfObject, type AmfValue, marker } from "./Amf0.ts"

const longestShort = 0xff_ff

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(9)
  bytes[0] = marker.number
  bytes.writeDoubleBE(value, 1)
  return bytes
}

const name = (value: string): Buffer => {
  const text = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([length, text])
}

const string = (value: string): Buffer => {
  const text = Buffer.from(value)
  if (text.length <= longestShort) return Buffer.concat([Buffer.from([marker.string]), name(value)])
  const head = Buffer.alloc(5)
  head[0] = marker.longString
  head.writeUInt32BE(text.length, 1)
  return Buffer.concat([head, text])
}

const array = (values: ReadonlyArray<AmfValue>): Buffer => {
  const head = Buffer.alloc(5)
  head[0] = marker.strictArray
  head.writeUInt32BE(values.length, 1)
  return Buffer.concat([head, ...values.map(encode)])
}

const object = (value: AmfObject): Buffer =>
  Buffer.concat([
    Buffer.from([marker.object]),
    ...Object.entries(value).flatMap(([key, member]) => [name(key), encode(member)]),
    Buffer.from([0, 0, marker.objectEnd])
  ])

const encode = (value: AmfValue): Buffer => {
  if (typeof value === "number") return number(value)
  if (typeof value === "boolean") return Buffer.from([marker.boolean, value ? 1 : 0])
  if (typeof value === "string") return string(value)
  if (value === null) return Buffer.from([marker.null])
  if (value === undefined) return Buffer.from([marker.undefined])
  return Array.isArray(value) ? array(value) : object(value as AmfObject)
}

/** Encodes values as AMF0, one after the other. */
export const encodeAmf0 = (...values: ReadonlyArray<AmfValue>): Uint8Array => Buffer.concat(values.map(encode))
