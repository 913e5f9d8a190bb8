/** Numbers of STUN (RFC 8489) and of its use by ICE (RFC 8445). */
export const magicCookie = 0x2112a442
export const headerLength = 20
/** The attribute of integrity with its header. */
export const integrityLength = 24
export const bindingRequest = 0x0001
export const bindingSuccess = 0x0101
export const attribute = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  xorMappedAddress: 0x0020,
  useCandidate: 0x0025,
  fingerprint: 0x8028
} as const
export const fingerprintXor = 0x5354554e
