import { assert, describe, it } from "@effect/vitest"
import { generateX25519Identity } from "age-encryption"
import { randomBytes } from "node:crypto"
import {
  type BackupCipher,
  makeAgeCipher,
  makeIdentity,
  openIdentity
} from "../../../src/instance/backup/BackupCipher.ts"

const pieces = async function* (bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 50_001) yield bytes.subarray(at, at + 50_001)
}

const collect = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Array<Uint8Array> = []
  for await (const piece of bytes) all.push(piece)
  return Buffer.concat(all)
}

const sealed = (cipher: BackupCipher, bytes: Buffer) => collect(cipher.seal(pieces(bytes)))
const opened = (cipher: BackupCipher, bytes: Buffer) => collect(cipher.open(pieces(bytes)))

const chunk = 64 * 1024
const identity = await generateX25519Identity()
const cipher = await makeAgeCipher(identity)

describe("encryption of backups", () => {
  it("opens its key with the passphrase alone", async () => {
    const made = await makeIdentity("correct horse battery", 10)
    assert.strictEqual(await openIdentity(made.file, "correct horse battery"), made.identity)
    assert.isUndefined(await openIdentity(made.file, "correct horse batterie"))
    assert.isUndefined(
      await openIdentity(
        made.file.map((byte, at) => (at === 200 ? byte ^ 1 : byte)),
        "correct horse battery"
      )
    )
  })

  it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 200_000])(
    "gives %d bytes back, and knows their size",
    async (size) => {
      const bytes = randomBytes(size)
      const secret = await sealed(cipher, bytes)
      assert.strictEqual(secret.length, cipher.storedSize(size))
      assert.isTrue(bytes.equals(await opened(cipher, secret)))
    }
  )

  it("refuses bytes that were changed, cut off, added, left out or put in another order", async () => {
    const bytes = randomBytes(4 * chunk + 100)
    const secret = await sealed(cipher, bytes)
    const head = secret.length - (4 * (chunk + 16) + 116)
    const nth = (n: number) => secret.subarray(head + n * (chunk + 16), head + (n + 1) * (chunk + 16))
    const refused: ReadonlyArray<readonly [string, Buffer]> = [
      ["flipped in its head", Buffer.from(secret.map((byte, at) => (at === 40 ? byte ^ 1 : byte)))],
      ["flipped in a chunk", Buffer.from(secret.map((byte, at) => (at === head + 70_000 ? byte ^ 1 : byte)))],
      ["flipped in its last byte", Buffer.from(secret.map((byte, at) => (at === secret.length - 1 ? byte ^ 1 : byte)))],
      ["cut", secret.subarray(0, -1)],
      ["cut after a chunk", secret.subarray(0, head + 2 * (chunk + 16))],
      ["cut in its head", secret.subarray(0, 30)],
      ["longer", Buffer.concat([secret, Buffer.from([0])])],
      ["without a chunk", Buffer.concat([secret.subarray(0, head), nth(1), nth(2), nth(3), nth(4)])],
      ["in another order", Buffer.concat([secret.subarray(0, head), nth(1), nth(0), nth(2), nth(3), nth(4)])],
      ["of another file's end", Buffer.concat([secret.subarray(0, -116), (await sealed(cipher, bytes)).subarray(-116)])]
    ]
    for (const [what, changed] of refused) {
      const outcome = await opened(cipher, changed).then(
        () => "opened",
        () => "refused"
      )
      assert.strictEqual(outcome, "refused", what)
    }
    const other = await makeAgeCipher(await generateX25519Identity())
    assert.strictEqual(
      await opened(other, secret).then(
        () => "opened",
        () => "refused"
      ),
      "refused"
    )
  })

  it("fails where its source does, and lets go of it", async () => {
    let isClosed = false
    const failing = async function* () {
      try {
        yield randomBytes(3 * chunk)
        throw new Error("the disk is gone")
      } finally {
        isClosed = true
      }
    }
    const failure = await collect(cipher.seal(failing())).catch((cause: unknown) => cause)
    assert.include(String(failure), "the disk is gone")
    assert.isTrue(isClosed)
  })

  it("derives names and proofs from its key", async () => {
    const again = await makeAgeCipher(identity)
    const other = await makeAgeCipher(await generateX25519Identity())
    const digest = "a".repeat(64)
    assert.strictEqual(again.nameOf(digest), cipher.nameOf(digest))
    assert.notStrictEqual(other.nameOf(digest), cipher.nameOf(digest))
    assert.notStrictEqual(cipher.proofOf(digest), cipher.nameOf(digest))
    assert.match(cipher.nameOf(digest), /^[0-9a-f]{64}$/)
  })
})
