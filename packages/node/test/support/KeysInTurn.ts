import crypto, { type KeyObject } from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

type Done = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject) => void

/** More than the actors of nearly every suite, whose keys are different ones. */
const most = 40

const patched = Symbol.for("kinora.test.keysInTurn")

/**
 * Every worker makes 40 RSA pairs, when they are asked for, and from then on gives them in turn: making those of each
 * user and channel of the tests anew took a quarter of their time. Only plain pairs as actors have them, made in the
 * background; whatever else is asked for is made as ever.
 */
const inTurn = () => {
  const real = crypto.generateKeyPair as (type: string, options: object, done: Done) => void
  const pairs: Array<readonly [KeyObject, KeyObject]> = []
  let asked = 0
  const give = (type: string, options: object, done: Done): void => {
    if (type !== "rsa" || JSON.stringify(options) !== '{"modulusLength":2048}') return real(type, options, done)
    const pair = pairs[asked % most]
    asked += 1
    if (pair !== undefined) return void setImmediate(() => done(null, ...pair))
    real(type, options, (error, publicKey, privateKey) => {
      if (error === null && pairs.length < most) pairs.push([publicKey, privateKey])
      done(error, publicKey, privateKey)
    })
  }
  Object.assign(crypto, { generateKeyPair: Object.assign(give, { [patched]: true }) })
  syncBuiltinESMExports()
}

// Files share what a worker has read, and this is run before each of them.
if (!(patched in crypto.generateKeyPair)) inTurn()
