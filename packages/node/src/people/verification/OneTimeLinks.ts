import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { OneTimeTokens, type TokenOwner, type TokenPurpose } from "@kinora/storage/people/user/OneTimeTokens"
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { newLinkToken } from "../session/RandomText.ts"
import { hashToken } from "../session/TokenHash.ts"

/** Purposes of tokens that are sent by mail. */
export type LinkPurpose = Exclude<TokenPurpose, "two-factor">

/** Lifetimes (contract: enums.json, Lifetimes). */
const lifetimes: Readonly<Record<LinkPurpose, Duration.Duration>> = {
  "verify-email": Duration.minutes(60),
  "change-email": Duration.minutes(60),
  "verify-registration": Duration.minutes(60),
  "reset-password": Duration.minutes(60),
  "create-password": Duration.days(7)
}

/**
 * Links of one purpose that are valid at once: more than can be sent to an address within the hour they live (three in
 * five minutes), so that somebody else who asks again cannot invalidate the link that a user is about to follow.
 */
const goodAtOnce = 40

const Payload = Schema.Struct({ email: Schema.String })
const decodePayload = Schema.decodeUnknownOption(Payload)

/** The link is used, expired, of another owner, or never existed: the same answer for all. */
export const linkRefused = () => new Forbidden({ reason: "This link is invalid or has expired" })

/**
 * Tokens of links in mails: 256 random bits, stored as SHA-256. Each is bound to its owner, its purpose and the address
 * it was sent to, and works once. Earlier ones stay valid until one of them is used.
 */
export class OneTimeLinks extends Context.Service<
  OneTimeLinks,
  {
    /** Creates a token for a mail to this address. */
    readonly issue: (
      purpose: LinkPurpose,
      owner: TokenOwner,
      email: string
    ) => Effect.Effect<string, DatabaseUnavailable>
    /** Uses a token up, and with it the others of its owner and purpose, and returns the address it was sent to. */
    readonly take: (
      token: string,
      purpose: LinkPurpose,
      owner: TokenOwner
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Whether a token is valid for one of the purposes. Does not use it up. */
    readonly isGood: (
      token: string,
      purposes: ReadonlyArray<LinkPurpose>,
      owner: TokenOwner
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Ends the tokens of these purposes. */
    readonly end: (purposes: ReadonlyArray<LinkPurpose>, owner: TokenOwner) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/verification/OneTimeLinks") {
  static readonly layer = Layer.effect(
    OneTimeLinks,
    Effect.gen(function* () {
      const tokens = yield* OneTimeTokens
      return OneTimeLinks.of({
        issue: Effect.fn("OneTimeLinks.issue")(function* (purpose, owner, email) {
          const token = newLinkToken()
          const lifetimeSeconds = Duration.toSeconds(lifetimes[purpose])
          yield* tokens.issue({
            hash: hashToken(token),
            purpose,
            owner,
            lifetimeSeconds,
            atOnce: goodAtOnce,
            payload: { email }
          })
          return token
        }),
        take: Effect.fn("OneTimeLinks.take")(function* (token, purpose, owner) {
          const payload = yield* tokens.take(hashToken(token), purpose, owner)
          if (Option.isSome(payload)) yield* tokens.end(purpose, owner)
          return Option.map(Option.flatMap(payload, decodePayload), ({ email }) => email)
        }),
        isGood: Effect.fn("OneTimeLinks.isGood")(function* (token, purposes, owner) {
          const hash = hashToken(token)
          for (const purpose of purposes) {
            if (Option.isSome(yield* tokens.read(hash, purpose, owner))) return true
          }
          return false
        }),
        end: Effect.fn("OneTimeLinks.end")(function* (purposes, owner) {
          for (const purpose of purposes) yield* tokens.end(purpose, owner)
        })
      })
    })
  )
}
