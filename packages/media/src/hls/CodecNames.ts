import { type Box, children } from "./Mp4Boxes.ts"

const hex = (value: number): string => value.toString(16).padStart(2, "0")
const decimal = (value: number): string => String(value).padStart(2, "0")

/** Where boxes begin in a VisualSampleEntry: 78 bytes of fields come first. AudioSampleEntry: 28. */
const configuration = (bytes: Uint8Array, sample: Box, after: 28 | 78, type: string): Uint8Array | undefined => {
  const box = children(bytes, sample.content + after, sample.end).find((child) => child.type === type)
  return box === undefined ? undefined : bytes.subarray(box.content, box.end)
}

/** RFC 6381 §3.3: profile, constraints and level of the configuration. */
const avcName = (bytes: Uint8Array, sample: Box): string => {
  const [, profile = 0, compatibility = 0, level = 0] = configuration(bytes, sample, 78, "avcC") ?? []
  return profile === 0 ? sample.type : `${sample.type}.${hex(profile)}${hex(compatibility)}${hex(level)}`
}

const reversed = (word: number): number => {
  let result = 0
  for (let bit = 0; bit < 32; bit++) result = ((result << 1) | ((word >>> bit) & 1)) >>> 0
  return result
}

/**
 * ISO/IEC 14496-15 Annex E.3: profile, compatibility (its bits in reverse), tier and level, and six bytes of constraints of
 * which zeros at the end are left out.
 */
const hevcName = (bytes: Uint8Array, sample: Box): string => {
  const record = configuration(bytes, sample, 78, "hvcC")
  if (record === undefined || record.length < 13) return sample.type
  const [, general = 0] = record
  const compatible = new DataView(record.buffer, record.byteOffset, record.byteLength).getUint32(2)
  const space = ["", "A", "B", "C"][general >> 6] ?? ""
  const tier = (general & 0x20) === 0 ? "L" : "H"
  const constraints = [...record.subarray(6, 12)].map((byte) => byte.toString(16).toUpperCase())
  while (constraints.at(-1) === "0") constraints.pop()
  return [
    sample.type,
    `${space}${general & 0x1f}`,
    reversed(compatible).toString(16).toUpperCase(),
    `${tier}${record[12]}`,
    ...constraints
  ].join(".")
}

/** AV1 Codec ISO Media File Format Binding §5: profile, level and tier, bit depth. */
const av1Name = (bytes: Uint8Array, sample: Box): string => {
  const record = configuration(bytes, sample, 78, "av1C")
  if (record === undefined) return sample.type
  const [, level = 0, flags = 0] = record
  const depth = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12
  return `${sample.type}.${level >> 5}.${decimal(level & 0x1f)}${(flags & 0x80) === 0 ? "M" : "H"}.${decimal(depth)}`
}

/** VP Codec ISO Media File Format Binding: profile, level, bit depth. */
const vp9Name = (bytes: Uint8Array, sample: Box): string => {
  const record = configuration(bytes, sample, 78, "vpcC")
  if (record === undefined) return sample.type
  // A full box: four bytes of version and flags.
  const [, , , , profile = 0, level = 0, depth = 0] = record
  return `${sample.type}.${decimal(profile)}.${decimal(level)}.${decimal(depth >> 4)}`
}

/** Walks the descriptors of `esds` (ISO/IEC 14496-1 §7.2.6): object type, and for AAC the audio object type. */
const mp4aName = (bytes: Uint8Array, sample: Box): string => {
  const record = configuration(bytes, sample, 28, "esds")
  if (record === undefined) return "mp4a.40.2"
  let at = 4
  const descriptor = (tag: number): boolean => {
    if (record[at] !== tag) return false
    at++
    while (at < record.length && ((record[at] ?? 0) & 0x80) !== 0) at++
    at++
    return true
  }
  if (!descriptor(0x03)) return "mp4a.40.2"
  at += 3
  if (!descriptor(0x04)) return "mp4a.40.2"
  const objectType = record[at] ?? 0
  if (objectType !== 0x40) return `mp4a.${hex(objectType).toUpperCase()}`
  at += 13
  if (!descriptor(0x05)) return "mp4a.40.2"
  const kind = (record[at] ?? 0) >> 3
  return `mp4a.40.${kind === 31 ? 32 + ((((record[at] ?? 0) & 7) << 3) | ((record[at + 1] ?? 0) >> 5)) : kind}`
}

interface SampleKind {
  readonly kind: "video" | "audio"
  readonly name: (bytes: Uint8Array, sample: Box) => string
}

const kinds: Readonly<Record<string, SampleKind>> = {
  avc1: { kind: "video", name: avcName },
  avc3: { kind: "video", name: avcName },
  hvc1: { kind: "video", name: hevcName },
  hev1: { kind: "video", name: hevcName },
  av01: { kind: "video", name: av1Name },
  vp09: { kind: "video", name: vp9Name },
  mp4a: { kind: "audio", name: mp4aName },
  Opus: { kind: "audio", name: () => "opus" }
}

/** Kind and RFC 6381 name (`avc1.640028`, `mp4a.40.2`) of a sample entry; undefined for kinds we do not make. */
export const sampleCodec = (
  bytes: Uint8Array,
  sample: Box
): { readonly kind: "video" | "audio"; readonly codec: string } | undefined => {
  const known = kinds[sample.type]
  return known === undefined ? undefined : { kind: known.kind, codec: known.name(bytes, sample) }
}
