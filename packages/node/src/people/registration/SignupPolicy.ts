import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { plainAddress } from "../../platform/http/ClientAddress.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { networkList } from "./NetworkList.ts"

/** What clients are shown before anybody fills in a form. */
export interface SignupShown {
  readonly allowed: boolean
  readonly allowedForCurrentIP: boolean
}

/** How long `GET /config` may lag behind the number of users. */
const countKept = "5 seconds"

const closed = (reason: string) => new Forbidden({ reason })
const full = closed("This instance has as many users as it takes")

/**
 * Who may register, from the keys below `signup`. The limit counts users only: if it counted pending registrations,
 * anybody could fill the instance by asking often. Moderators may accept beyond the limit.
 */
export class SignupPolicy extends Context.Service<
  SignupPolicy,
  {
    /** Refuses everybody while registration is closed, and otherwise addresses whose network may not register. */
    readonly permit: (address: string | undefined) => Effect.Effect<void, Forbidden>
    /** Refuses if the number of users has reached the limit. Exact within `SignupRows.inTurn`. */
    readonly room: Effect.Effect<void, Forbidden | DatabaseUnavailable>
    /** The same for display. With a limit it may lag by a few seconds. */
    readonly shown: (address: string | undefined) => Effect.Effect<SignupShown>
  }
>()("@kinora/node/registrations/SignupPolicy") {
  static readonly layer = Layer.effect(
    SignupPolicy,
    Effect.gen(function* () {
      const { signup } = yield* KinoraConfig
      const mailer = yield* Mailer
      const rows = yield* SignupRows
      const cannotVerify = () => signup.requires_email_verification && !mailer.enabled
      const isOpen = () => signup.enabled && !cannotVerify()
      if (signup.enabled && cannotVerify()) {
        yield* Effect.logWarning(
          "Nobody can register: signup.requires_email_verification needs mail, and smtp says of no way to send it."
        )
      }

      const { blacklist, whitelist } = signup.filters.cidr
      const isFiltered = whitelist.length > 0 || blacklist.length > 0
      const isListed = networkList(whitelist)
      const isBanned = networkList(blacklist)
      const isPermitted = (address: string | undefined): boolean => {
        if (!isFiltered) return true
        const plain = plainAddress(address ?? "")
        return !isBanned(plain) && (whitelist.length === 0 || isListed(plain))
      }

      const permit = Effect.fnUntraced(function* (address: string | undefined) {
        if (!signup.enabled) return yield* closed("Registration is closed on this instance")
        if (cannotVerify()) return yield* closed("Registration is closed: this instance cannot send the mails it needs")
        if (!isPermitted(address)) return yield* closed("Registration is not open to your network address")
      })

      const isFull = Effect.map(rows.userCount, (users) => users >= signup.limit)
      const isLimited = () => signup.limit >= 0
      const room = Effect.suspend(() =>
        isLimited() ? Effect.flatMap(isFull, (it) => (it ? Effect.fail(full) : Effect.void)) : Effect.void
      )

      let lastKnown = 0
      const shownUsers = recent(
        Effect.catch(
          Effect.tap(rows.userCount, (users) => Effect.sync(() => void (lastKnown = users))),
          // What is shown must not depend on the database. Registering itself queries it again.
          () => Effect.sync(() => lastKnown)
        ),
        countKept
      )
      const shownFull = Effect.suspend(() =>
        isOpen() && isLimited() ? Effect.map(shownUsers, (users) => users >= signup.limit) : Effect.succeed(false)
      )

      const shown = (address: string | undefined) =>
        Effect.map(shownFull, (it): SignupShown => {
          const allowed = isOpen() && !it
          return { allowed, allowedForCurrentIP: allowed && isPermitted(address) }
        })

      return SignupPolicy.of({ permit, room, shown })
    })
  )
}
