import type { Decrypter, Encrypter } from "age-encryption"
import { createHmac, hkdfSync } from "node:crypto"
import { ReadableStream } from "node:stream/web"

/** How the bytes of a backup are kept. */
export interface BackupCipher {
  /** What names of files end with. */
  readonly suffix: "" | ".age"
  /** Bytes that so many bytes take when they are kept. */
  readonly storedSize: (size: number) => number
  readonly seal: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  /** Fails where bytes were changed, cut off or sealed with another key. Gives no byte that was not checked. */
  readonly open: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  /** A name for bytes of that SHA-256: the same for the same bytes, and without the key nothing follows from it. */
  readonly nameOf: (sha256: string) => string
  /** Shows that who wrote the text had the key; undefined where there is none. */
  readonly proofOf: (text: string) => string | undefined
}

export const plainCipher: BackupCipher = {
  suffix: "",
  storedSize: (size) => size,
  seal: (bytes) => bytes,
  open: (bytes) => bytes,
  nameOf: (sha256) => sha256,
  proofOf: () => undefined
}

/** The age format (age-encryption.org/v1): chunks of 64 KiB, each with a tag. */
const chunk = 64 * 1024
const tag = 16

/** Guessing a passphrase costs 2^18 rounds of scrypt and 256 MiB of memory each: what age takes by itself. */
const scryptWorkFactor = 18

/** Loaded where it is used: no node that only serves needs it. */
const age = () => import("age-encryption")

const through = async function* (
  bytes: AsyncIterable<Uint8Array>,
  work: (from: globalThis.ReadableStream<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>
): AsyncGenerator<Uint8Array> {
  yield* await work(ReadableStream.from(bytes) as unknown as globalThis.ReadableStream<Uint8Array>)
}

const iterable = (stream: unknown) => stream as AsyncIterable<Uint8Array>

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8")

/** A new key: an age identity, and the file of it that the passphrase opens, as `age --decrypt --identity` takes it. */
export const makeIdentity = async (passphrase: string, workFactor = scryptWorkFactor) => {
  const { Encrypter, generateX25519Identity } = await age()
  const identity = await generateX25519Identity()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  return { identity, file: await encrypter.encrypt(`# Key of backups of Kinora\n${identity}\n`) }
}

/** The identity in such a file; undefined where the passphrase is another, or the file is damaged. */
export const openIdentity = async (file: Uint8Array, passphrase: string): Promise<string | undefined> => {
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const text = await decrypter.decrypt(file).then(textOf, () => undefined)
  return text?.split("\n").find((line) => line.startsWith("AGE-SECRET-KEY-"))
}

/** Everything is kept as age files for one identity, from which names and proofs are derived, too. */
export const makeAgeCipher = async (identity: string): Promise<BackupCipher> => {
  const { Decrypter, Encrypter, identityToRecipient } = await age()
  const recipient = await identityToRecipient(identity)
  const encrypter: Encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const decrypter: Decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const empty = (await encrypter.encrypt(new Uint8Array())).length
  const keyOf = (purpose: string) => Buffer.from(hkdfSync("sha256", identity, "", `Kinora backup: ${purpose}`, 32))
  const names = keyOf("names of files")
  const proofs = keyOf("manifests")
  const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest("hex")
  return {
    suffix: ".age",
    storedSize: (size) => empty - tag + size + tag * Math.max(1, Math.ceil(size / chunk)),
    seal: (bytes) => through(bytes, async (from) => iterable(await encrypter.encrypt(from))),
    open: (bytes) => through(bytes, async (from) => iterable(await decrypter.decrypt(from))),
    nameOf: (sha256) => hmac(names, sha256),
    proofOf: (text) => hmac(proofs, text)
  }
}
