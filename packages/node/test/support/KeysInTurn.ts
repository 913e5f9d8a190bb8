import crypto, { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join, resolve } from "node:path"

type Done = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject) => void

/** More than the actors of nearly every suite, whose keys are different ones. */
const most = 40

const patched = Symbol.for("kinora.test.keysInTurn")

type Pair = readonly [publicKey: KeyObject, privateKey: KeyObject]

const folder = resolve(import.meta.dirname, "../../../../.cache/test-keys")

/** A pair that this or another worker has made, now or in an earlier run. */
const kept = (nth: number): Pair | undefined => {
  try {
    const privateKey = createPrivateKey(readFileSync(join(folder, `${nth}.pem`)))
    return [createPublicKey(privateKey), privateKey]
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

const keep = (nth: number, privateKey: KeyObject): void => {
  mkdirSync(folder, { recursive: true })
  const draft = join(folder, `.${process.pid}-${nth}.pem`)
  writeFileSync(draft, privateKey.export({ type: "pkcs8", format: "pem" }))
  renameSync(draft, join(folder, `${nth}.pem`))
}

/**
 * Workers make 40 RSA pairs, when they are asked for, and from then on give them in turn: making those of each user and
 * channel of the tests anew took a quarter of their time. Only plain pairs as actors have them, made in the
 * background; whatever else is asked for is made as ever.
 */
const inTurn = () => {
  const real = crypto.generateKeyPair as (type: string, options: object, done: Done) => void
  const pairs: Array<Pair | undefined> = []
  let asked = 0
  const give = (type: string, options: object, done: Done): void => {
    if (type !== "rsa" || JSON.stringify(options) !== '{"modulusLength":2048}') return real(type, options, done)
    const nth = asked % most
    asked += 1
    pairs[nth] ??= kept(nth)
    const pair = pairs[nth]
    if (pair !== undefined) return void setImmediate(() => done(null, ...pair))
    real(type, options, (error, publicKey, privateKey) => {
      if (error === null) {
        pairs[nth] = [publicKey, privateKey]
        keep(nth, privateKey)
      }
      done(error, publicKey, privateKey)
    })
  }
  Object.assign(crypto, { generateKeyPair: Object.assign(give, { [patched]: true }) })
  syncBuiltinESMExports()
}

// Files share what a worker has read, and this is run before each of them.
if (!(patched in crypto.generateKeyPair)) inTurn()
