import { createECDH, createHash, type ECDH, randomBytes, timingSafeEqual } from "node:crypto"
import { ByteReader } from "../bytes/ByteReader.ts"
import { Malformed } from "../bytes/Malformed.ts"
import { type ClientHello, extension, readClientHello } from "./ClientHello.ts"
import { handshake, handshakeBytes, type HandshakeMessage, HandshakeReader } from "./Handshakes.ts"
import { prf } from "./Prf.ts"
import {
  content,
  type DtlsRecord,
  openRecord,
  plainRecord,
  readRecords,
  type RecordKey,
  sealedRecord
} from "./Records.ts"
import { type Certificate, fingerprintOf } from "./SelfSigned.ts"
import { group, serverFlight, srtpProfile, suite } from "./ServerFlight.ts"
import { isSignedBy, readCertificate } from "./Signatures.ts"

/** Keys for SRTP: of what the client sends, and of what we send. */
export interface SrtpMaterial {
  readonly client: { readonly key: Buffer; readonly salt: Buffer }
  readonly server: { readonly key: Buffer; readonly salt: Buffer }
}

/** What the peer's certificate has to be. */
export interface ExpectedFingerprint {
  /** Name for `node:crypto`. */
  readonly hash: string
  readonly value: string
}

export interface DtlsEvents {
  readonly send: (datagram: Uint8Array) => void
  readonly connected: (material: SrtpMaterial) => void
  /** The peer ended it. */
  readonly closed: () => void
}

interface Secrets {
  readonly master: Buffer
  readonly client: RecordKey
  readonly server: RecordKey
}

const keyLength = 16
const saltLength = 14
const verifyLength = 12
/** Records of epoch 1 that came before the message with which they can be read. */
const early = 4
/** An answer is repeated for a peer that asks again, but not without end. */
const repeats = 20

/**
 * The server of a DTLS 1.2 handshake that gives keys to SRTP (RFC 6347, 5764): one suite, one curve, and a certificate of the
 * client that fits its fingerprint. The client repeats what is not answered, so the server needs no timer. There is no
 * cookie: ICE has shown that the address is the peer's.
 */
export class DtlsServer {
  readonly #certificate: Certificate
  readonly #expected: ExpectedFingerprint
  readonly #events: DtlsEvents
  readonly #messages = new HandshakeReader()
  readonly #random = randomBytes(32)
  readonly #early: Array<DtlsRecord> = []
  #transcript: Array<Uint8Array> = []
  #flight: Buffer | undefined
  #repeated = 0
  #plainRecords = 0
  #hello: ClientHello | undefined
  #exchange: ECDH | undefined
  #peer: Buffer | undefined
  #secrets: Secrets | undefined
  #verified = false
  #connected = false

  constructor(certificate: Certificate, expected: ExpectedFingerprint, events: DtlsEvents) {
    this.#certificate = certificate
    this.#expected = expected
    this.#events = events
  }

  /** Takes a datagram. Throws `Malformed` when the handshake cannot go on. */
  take(datagram: Uint8Array): void {
    for (const record of readRecords(datagram)) {
      if (record.epoch === 0) this.#plain(record)
      else if (record.epoch === 1) this.#sealed(record)
    }
  }

  #plain({ fragment, type }: DtlsRecord): void {
    // An alert in the clear may be anybody's.
    if (type !== content.handshake || this.#connected) return
    this.#messages.add(fragment)
    this.#drain()
    if (this.#messages.repeated) this.#repeat()
  }

  #sealed(record: DtlsRecord): void {
    const secrets = this.#secrets
    if (secrets === undefined) {
      if (this.#early.length < early) this.#early.push(record)
      return
    }
    const plain = openRecord(record, secrets.client)
    if (plain === undefined) return
    // Level and description: 0 says that the peer is done, and level 2 that it cannot go on.
    if (record.type === content.alert && plain.length === 2 && (plain[1] === 0 || plain[0] === 2)) this.#events.closed()
    if (record.type !== content.handshake) return
    this.#messages.add(plain)
    this.#drain()
    if (this.#messages.repeated) this.#repeat()
  }

  #repeat(): void {
    this.#messages.repeated = false
    this.#repeated += 1
    if (this.#flight !== undefined && this.#repeated <= repeats) this.#events.send(this.#flight)
  }

  #drain(): void {
    for (let message = this.#messages.pull(); message !== undefined; message = this.#messages.pull()) {
      this.#step(message)
    }
  }

  #step(message: HandshakeMessage): void {
    switch (message.type) {
      case handshake.clientHello:
        if (this.#hello !== undefined) throw new Malformed("a second hello")
        return this.#onHello(message)
      case handshake.certificate:
        return this.#onCertificate(message)
      case handshake.clientKeyExchange:
        return this.#onKeyExchange(message)
      case handshake.certificateVerify:
        return this.#onVerify(message)
      case handshake.finished:
        return this.#onFinished(message)
      default:
        throw new Malformed("a handshake message that does not belong here")
    }
  }

  #onHello({ body, whole }: HandshakeMessage): void {
    const hello = readClientHello(body)
    if (!hello.suites.includes(suite)) throw new Malformed("no cipher suite in common")
    if (!hello.srtpProfiles.includes(srtpProfile)) throw new Malformed("no profile of SRTP in common")
    if (!hello.groups.includes(group)) throw new Malformed("no curve in common")
    if (!hello.extensions.has(extension.extendedMasterSecret)) throw new Malformed("no extended master secret")
    const exchange = createECDH("prime256v1")
    const messages = serverFlight(hello, this.#random, exchange.generateKeys(), this.#certificate).map(
      ([type, bytes], index) => handshakeBytes(type, index, bytes)
    )
    this.#hello = hello
    this.#exchange = exchange
    this.#transcript = [whole, ...messages]
    this.#answer(Buffer.concat(messages.map((bytes) => plainRecord(content.handshake, this.#plainRecords++, bytes))))
  }

  #onCertificate({ body, whole }: HandshakeMessage): void {
    if (this.#hello === undefined || this.#peer !== undefined) throw new Malformed("a certificate out of order")
    const der = Buffer.from(readCertificate(body))
    const { hash, value } = this.#expected
    if (fingerprintOf(der, hash) !== value) throw new Malformed("another certificate than the offer says")
    this.#peer = der
    this.#transcript.push(whole)
  }

  #onKeyExchange({ body, whole }: HandshakeMessage): void {
    const hello = this.#hello
    if (hello === undefined || this.#peer === undefined || this.#secrets !== undefined) {
      throw new Malformed("a key out of order")
    }
    this.#transcript.push(whole)
    const shared = this.#shared(new ByteReader(body).vector(1))
    const master = prf(shared, "extended master secret", this.#hash, 48)
    const keys = prf(master, "key expansion", Buffer.concat([this.#random, hello.random]), 2 * keyLength + 8)
    this.#secrets = {
      master,
      client: { key: keys.subarray(0, 16), iv: keys.subarray(32, 36) },
      server: { key: keys.subarray(16, 32), iv: keys.subarray(36, 40) }
    }
    for (const record of this.#early.splice(0)) this.#sealed(record)
  }

  #shared(point: Uint8Array): Buffer {
    try {
      return this.#exchange!.computeSecret(point)
    } catch (cause) {
      throw new Malformed("no point of the curve", { cause })
    }
  }

  #onVerify({ body, whole }: HandshakeMessage): void {
    if (this.#secrets === undefined || this.#verified) throw new Malformed("a signature out of order")
    if (!isSignedBy(this.#peer!, body, Buffer.concat(this.#transcript))) throw new Malformed("a wrong signature")
    this.#verified = true
    this.#transcript.push(whole)
  }

  #onFinished({ body, whole }: HandshakeMessage): void {
    const secrets = this.#secrets
    if (secrets === undefined || !this.#verified || this.#connected) throw new Malformed("an end out of order")
    const expected = prf(secrets.master, "client finished", this.#hash, verifyLength)
    if (body.length !== verifyLength || !timingSafeEqual(body, expected)) throw new Malformed("a wrong end")
    this.#transcript.push(whole)
    const verify = prf(secrets.master, "server finished", this.#hash, verifyLength)
    const change = plainRecord(content.changeCipherSpec, this.#plainRecords++, Buffer.from([1]))
    const finished = sealedRecord(content.handshake, 0, handshakeBytes(handshake.finished, 5, verify), secrets.server)
    this.#connected = true
    this.#answer(Buffer.concat([change, finished]))
    this.#events.connected(this.#material(secrets.master))
  }

  #answer(flight: Buffer): void {
    this.#flight = flight
    this.#repeated = 0
    this.#events.send(flight)
  }

  #material(master: Buffer): SrtpMaterial {
    const seed = Buffer.concat([this.#hello!.random, this.#random])
    const reader = new ByteReader(prf(master, "EXTRACTOR-dtls_srtp", seed, 2 * (keyLength + saltLength)))
    const [clientKey, serverKey] = [reader.bytes(keyLength), reader.bytes(keyLength)]
    const [clientSalt, serverSalt] = [reader.bytes(saltLength), reader.bytes(saltLength)]
    return { client: { key: clientKey, salt: clientSalt }, server: { key: serverKey, salt: serverSalt } }
  }

  /** Closes the connection (close_notify), once it is established. */
  close(): void {
    if (!this.#connected) return
    this.#events.send(sealedRecord(content.alert, 1, Buffer.from([1, 0]), this.#secrets!.server))
  }

  get #hash(): Buffer {
    const hash = createHash("sha256")
    for (const part of this.#transcript) hash.update(part)
    return hash.digest()
  }
}
