import { signRequest } from "@kinora/federation/signatures/SignRequest"
import { Effect } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"
import { request } from "node:http"
import type { Instance } from "../Federating.ts"
import type { Peer } from "./Peer.ts"

/** Speaks for the actors of a `HostilePeer`: all of them sign with the one key it has. */
export class PeerActors {
  private readonly key: KeyObject
  private serial = 0

  private constructor(key: KeyObject) {
    this.key = key
  }

  static async of(peer: Peer): Promise<PeerActors> {
    return new PeerActors(createPrivateKey((await peer.ask<{ pem: string }>("key")).pem))
  }

  /** Activities that were made so far. */
  get count() {
    return this.serial
  }

  /** Sends an activity of an actor to the shared inbox; the status of the answer. `at`: where it listens, if not at its address. */
  async post(
    { node }: Instance,
    actor: string,
    type: string,
    object: unknown,
    { at = node.url, keyId = `${actor}#main-key` }: { readonly at?: string; readonly keyId?: string } = {}
  ): Promise<number> {
    const id = `${new URL(actor).origin}/activities/${++this.serial}`
    const body = JSON.stringify({ "@context": "https://www.w3.org/ns/activitystreams", id, type, actor, object })
    const url = `${node.url}/inbox`
    const signed = await Effect.runPromise(
      signRequest({
        method: "POST",
        url,
        body: Buffer.from(body),
        form: "cavage",
        key: { id: keyId, privateKey: this.key, algorithm: "rsa" },
        now: Date.now()
      })
    )
    const headers = { ...signed, host: new URL(url).host, "content-type": "application/activity+json" }
    return await new Promise((done, fail) => {
      const sent = request(`${at}/inbox`, { method: "POST", headers }, (answer) => {
        answer.resume()
        answer.once("end", () => done(answer.statusCode ?? 0))
      })
      sent.once("error", fail)
      sent.end(body)
    })
  }
}
