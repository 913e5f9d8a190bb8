import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { createSocket, type RemoteInfo } from "node:dgram"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Malformed } from "../../src/webrtc/bytes/Malformed.ts"
import { DtlsServer, type SrtpMaterial } from "../../src/webrtc/dtls/DtlsServer.ts"
import { fingerprintOf, selfSigned } from "../../src/webrtc/dtls/SelfSigned.ts"
import { until } from "../support/Eventually.ts"

const certificateOf = (folder: string, options: ReadonlyArray<string>) => {
  const files = { key: join(folder, "key.pem"), certificate: join(folder, "certificate.pem") }
  const out = ["-nodes", "-keyout", files.key, "-out", files.certificate, "-subj", "/CN=peer"]
  execFileSync("openssl", ["req", "-x509", "-newkey", ...options, ...out], { stdio: "ignore" })
  return { ...files, der: new X509Certificate(readFileSync(files.certificate)).raw }
}

/** A handshake with OpenSSL as the client, which OBS has as well. */
const handshake = (options: ReadonlyArray<string>, expected?: string) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "kinora-dtls-"))
    const files = certificateOf(folder, options)
    const socket = createSocket("udp4")
    yield* Effect.callback<void>((resume) => void socket.bind(0, "127.0.0.1", () => resume(Effect.void)))
    const seen: { material?: SrtpMaterial; closed?: true; refused?: string } = {}
    let from: RemoteInfo | undefined
    const fingerprint = { hash: "sha256", value: expected ?? fingerprintOf(files.der, "sha256") }
    const server = new DtlsServer(selfSigned(yield* Clock.currentTimeMillis), fingerprint, {
      send: (datagram) => socket.send(datagram, from!.port, from!.address),
      connected: (material) => void (seen.material = material),
      closed: () => void (seen.closed = true)
    })
    socket.on("message", (datagram, remote) => {
      from = remote
      try {
        server.take(datagram)
      } catch (error) {
        assert.instanceOf(error, Malformed)
        seen.refused ??= (error as Error).message
      }
    })
    const exported = ["-keymatexport", "EXTRACTOR-dtls_srtp", "-keymatexportlen", "60"]
    const client = spawn("openssl", [
      ...["s_client", "-dtls1_2", "-connect", `127.0.0.1:${socket.address().port}`],
      ...["-use_srtp", "SRTP_AES128_CM_SHA1_80", "-cert", files.certificate, "-key", files.key, ...exported]
    ])
    let said = ""
    client.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()))
    client.stderr.resume()
    const keys = () => /Keying material: ([0-9A-F]+)/.exec(said)?.[1]
    yield* until("an end of the handshake", () => seen.refused !== undefined || keys() !== undefined)
    if (seen.refused === undefined) {
      client.stdin.end("Q\n")
      yield* until("a close_notify", () => seen.closed === true)
    }
    client.kill("SIGKILL")
    socket.close()
    rmSync(folder, { recursive: true })
    return { ...seen, keys: keys() }
  })

describe("a handshake with OpenSSL", () => {
  it.live("gives both the same keys, whatever its certificate is, and takes its close_notify", () =>
    Effect.gen(function* () {
      // The certificate of the second does not fit into one datagram.
      for (const options of [
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["rsa:4096"],
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"]
      ]) {
        const { keys, material, refused } = yield* handshake(options)
        assert.isUndefined(refused)
        const { client, server } = material!
        const ours = Buffer.concat([client.key, server.key, client.salt, server.salt])
        assert.strictEqual(keys, ours.toString("hex").toUpperCase())
      }
    })
  )

  it.live("is refused for another certificate than the offer says", () =>
    Effect.gen(function* () {
      const { material, refused } = yield* handshake(["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "AA:BB")
      assert.strictEqual(refused, "another certificate than the offer says")
      assert.isUndefined(material)
    })
  )
})
