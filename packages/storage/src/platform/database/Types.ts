import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

const bytesOfInt8 = 8

const readInt8 = (bytes: Uint8Array, offset: number): Result.Result<number, PgTypes.CodecError> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, bytesOfInt8)
  const value = view.getInt32(0) * 0x1_0000_0000 + view.getUint32(4)
  return Number.isSafeInteger(value)
    ? Result.succeed(value)
    : Result.fail(new PgTypes.CodecError({ message: "A bigint of the database is beyond 2^53" }))
}

const encodeInt8 = (value: bigint | number | null): Uint8Array => {
  const bytes = new Uint8Array(bytesOfInt8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value ?? 0))
  return bytes
}

/**
 * The codecs of our connections: the driver's, except that int8 and `count(*)` arrive as numbers, as JSON needs. No
 * value of ours comes near 2^53; one that did would be an error, not a rounded number.
 */
export const registry: PgTypes.Registry = PgTypes.makeRegistry()

registry.register<bigint | number | null>(
  PgTypes.OID.int8,
  {
    encode: (value) => Result.succeed(encodeInt8(value)),
    decode: (bytes) => readInt8(bytes, 0),
    read: (bytes, offset) => readInt8(bytes, offset)
  },
  { arrayOid: PgTypes.OID.int8Array }
)
