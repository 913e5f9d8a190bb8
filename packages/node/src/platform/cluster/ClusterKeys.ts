import { Effect, Redacted } from "effect"
import { createHash, hkdfSync } from "node:crypto"
import { KinoraConfig } from "../config/Config.ts"
import { ensureKeys } from "../secrets/SecretKeys.ts"

/** A pre-shared key of TLS (RFC 4279), and the name by which a client says that it uses this one. */
export interface ClusterKey {
  readonly identity: string
  readonly key: Buffer
}

const purpose = "cluster"

/** The key that follows from a secret (HKDF, RFC 5869). Its identity is a digest, so that nodes may know several. */
export const clusterKeyOf = (root: Uint8Array): ClusterKey => {
  const key = Buffer.from(hkdfSync("sha256", root, "kinora", purpose, 32))
  return { identity: createHash("sha256").update(purpose).update(key).digest("hex").slice(0, 32), key }
}

/**
 * The keys of this node: of `cluster.secret`, or else of each key of the instance. It calls with the first and accepts all:
 * while the instance's key is changed, nodes that know both speak with each other.
 */
export const clusterKeys = Effect.gen(function* () {
  const { cluster } = yield* KinoraConfig
  const secret = Redacted.value(cluster.secret)
  const roots: ReadonlyArray<Uint8Array> = secret === "" ? yield* ensureKeys : [Buffer.from(secret)]
  return roots.map(clusterKeyOf)
})
