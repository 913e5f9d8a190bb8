import { numberBytes, vectorBytes } from "../bytes/ByteReader.ts"

/** Units as files have them: each behind its length in 4 bytes. */
export const avcFrame = (units: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat(units.flatMap((unit) => [numberBytes(unit.length, 4), unit]))

/** What configures a decoder (ISO/IEC 14496-15, 5.3.3.1): one set of each parameters. */
export const avcConfiguration = (sps: Uint8Array, pps: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1]),
    vectorBytes(sps, 2),
    Buffer.from([1]),
    vectorBytes(pps, 2)
  ])
