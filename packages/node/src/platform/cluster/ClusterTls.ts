import type { ConnectionOptions, TlsOptions } from "node:tls"
import type { ClusterKey } from "./ClusterKeys.ts"

/** What a connection between nodes carries, by its name in the handshake (ALPN, RFC 7301). */
export const protocols = { rpc: "kinora-cluster", http: "http/1.1" } as const

/** Both sides prove that they know the key; an ephemeral exchange keeps what was recorded secret should the key leak. */
const suite = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  // Node offers keys that are shared in advance up to this version.
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2"
} as const

/** Milliseconds a handshake may take. */
export const handshakeMillis = 3_000

/** Options of the side that listens. */
export const serverTls = (keys: ReadonlyArray<ClusterKey>): TlsOptions => {
  const known = new Map(keys.map(({ identity, key }) => [identity, key]))
  return {
    ...suite,
    ALPNProtocols: [protocols.rpc, protocols.http],
    handshakeTimeout: handshakeMillis,
    pskCallback: (_socket, identity) => known.get(identity) ?? null
  }
}

/** Options of the side that connects. */
export const clientTls = (keys: ReadonlyArray<ClusterKey>, protocol: string): ConnectionOptions => {
  const { identity, key } = keys[0]!
  return {
    ...suite,
    ALPNProtocols: [protocol],
    pskCallback: () => ({ identity, psk: key }),
    // There are no certificates: whoever completes the handshake knows the key.
    checkServerIdentity: () => undefined
  }
}
