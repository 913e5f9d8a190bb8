import { createHmac, randomBytes } from "node:crypto"

/** A cookie is taken for one to two of these. */
const stepMillis = 30_000

/**
 * Cookies by which a peer shows that it receives what is sent to its address. Nothing of a peer is kept before: the cookie
 * follows from the address, the time and a secret.
 */
export class SynCookie {
  readonly #secret = randomBytes(32)

  /** @param now milliseconds */
  make(address: string, port: number, now: number): number {
    return this.#at(address, port, Math.floor(now / stepMillis))
  }

  matches(cookie: number, address: string, port: number, now: number): boolean {
    const step = Math.floor(now / stepMillis)
    return cookie === this.#at(address, port, step) || cookie === this.#at(address, port, step - 1)
  }

  #at(address: string, port: number, step: number): number {
    return createHmac("sha256", this.#secret).update(`${address}|${port}|${step}`).digest().readUInt32BE(0)
  }
}
