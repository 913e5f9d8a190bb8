/** Length of a packet of a transport stream (ISO/IEC 13818-1). */
export const packetLength = 188
const sync = 0x47

/** Types of streams that are video: MPEG-1 and -2, MPEG-4, H.264, HEVC, VVC. */
const videoTypes = new Map<number, "h264" | "hevc" | "other">([
  [0x01, "other"],
  [0x02, "other"],
  [0x10, "other"],
  [0x1b, "h264"],
  [0x24, "hevc"],
  [0x33, "other"]
])
/** AAC with ADTS headers. */
const aac = 0x0f

/** What a program consists of. */
export interface Program {
  readonly video: { readonly pid: number; readonly codec: "h264" | "hevc" | "other" } | undefined
  /** Whether its first sound is AAC. */
  readonly isAac: boolean
}

export const pidOf = (packet: Uint8Array): number => (((packet[1] as number) & 0x1f) << 8) | (packet[2] as number)

export const isPacket = (packet: Uint8Array): boolean => packet[0] === sync

/** Whether a section or a frame begins in the packet. */
export const isStart = (packet: Uint8Array): boolean => ((packet[1] as number) & 0x40) !== 0

/** Whether the packet says that decoding can start here. */
export const isRandomAccess = (packet: Uint8Array): boolean =>
  ((packet[3] as number) & 0x20) !== 0 && (packet[4] as number) > 0 && ((packet[5] as number) & 0x40) !== 0

/** What the packet carries, behind its header and adaptation field. */
export const payloadOf = (packet: Uint8Array): Uint8Array => {
  const control = ((packet[3] as number) >> 4) & 3
  if ((control & 1) === 0) return packet.subarray(packetLength)
  return packet.subarray(control === 3 ? Math.min(5 + (packet[4] as number), packetLength) : 4, packetLength)
}

/** The section that begins in the packet, without its checksum. Undefined: it is another table, or longer than the packet. */
const sectionOf = (packet: Uint8Array, table: number): Uint8Array | undefined => {
  const payload = payloadOf(packet)
  const section = payload.subarray(1 + (payload[0] ?? 0))
  if (section.length < 8 || section[0] !== table) return undefined
  const end = 3 + ((((section[1] as number) & 0x0f) << 8) | (section[2] as number)) - 4
  return end < 8 || end > section.length ? undefined : section.subarray(0, end)
}

const word = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) << 8) | (bytes[at + 1] as number)

/** The PID of the map of the first program (2.4.4.3). */
export const readAssociation = (packet: Uint8Array): number | undefined => {
  const section = sectionOf(packet, 0)
  if (section === undefined) return undefined
  for (let at = 8; at + 4 <= section.length; at += 4) {
    if (word(section, at) !== 0) return word(section, at + 2) & 0x1f_ff
  }
  return undefined
}

/** The program of a map (2.4.4.8). */
export const readProgram = (packet: Uint8Array): Program | undefined => {
  const section = sectionOf(packet, 2)
  if (section === undefined || section.length < 12) return undefined
  let video: Program["video"]
  let sound: number | undefined
  for (
    let at = 12 + (word(section, 10) & 0x0f_ff);
    at + 5 <= section.length;
    at += 5 + (word(section, at + 3) & 0x0f_ff)
  ) {
    const type = section[at] as number
    const codec = videoTypes.get(type)
    if (codec === undefined) sound ??= type
    else video ??= { pid: word(section, at + 1) & 0x1f_ff, codec }
  }
  return { video, isAac: sound === aac }
}
