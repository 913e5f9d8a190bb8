import { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import { Conflict, OwnershipChangeNotFound, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { OwnershipRequests } from "@kinora/storage/video/ownership/OwnershipRequests"
import type { OwnedKind } from "@kinora/storage/video/ownership/OwnedItem"
import { OwnershipTransfers } from "@kinora/storage/video/ownership/OwnershipTransfers"
import { Recipients } from "@kinora/storage/video/ownership/Recipients"
import { Context, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { mayOnRequest, type OwnershipAction, takesPart } from "./OwnershipRights.ts"
import type { OwnedItem } from "./TransferableItems.ts"

type Refused = OwnershipChangeNotFound | Forbidden | DatabaseUnavailable

const decided = new Forbidden({ reason: "This request waits for no answer any more" })
const lastChannel = new Conflict({ reason: "An account needs one channel: its last one cannot be transferred" })

const forbidden: Readonly<Record<OwnershipAction, string>> = {
  see: "This request is no business of yours",
  answer: "A request is answered by who is asked to take over",
  withdraw: "A request is taken back by who made it"
}

/** The entry of what a role lets somebody do with things of others. */
const entry = (action: string, kind: OwnedKind, target: Readonly<Record<string, unknown>>) => ({
  domain: "ownership",
  action,
  target: { kind, ...target }
})

/** Transfers videos and channels between users. Checks the rights on transfer requests. */
export class Ownership extends Context.Service<
  Ownership,
  {
    /**
     * Offers a video or channel to another user. The sender must be allowed to give it, as its owner is at that moment.
     */
    readonly give: (
      user: CurrentUserShape,
      item: OwnedItem,
      username: string
    ) => Effect.Effect<void, UserNotFound | InvalidParameters | Conflict | DatabaseUnavailable>
    readonly refuse: (user: CurrentUserShape, kind: OwnedKind, id: number) => Effect.Effect<void, Refused>
    readonly withdraw: (user: CurrentUserShape, kind: OwnedKind, id: number) => Effect.Effect<void, Refused>
    /** The video moves to this channel of the user. */
    readonly acceptVideo: (
      user: CurrentUserShape,
      id: number,
      channelId: number
    ) => Effect.Effect<void, Refused | QuotaReached | InvalidParameters>
    /** The channel moves with all its videos. */
    readonly acceptChannel: (
      user: CurrentUserShape,
      id: number
    ) => Effect.Effect<void, Refused | QuotaReached | Conflict>
  }
>()("@kinora/node/ownership/Ownership") {
  static readonly layer = Layer.effect(
    Ownership,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const requests = yield* OwnershipRequests
      const transfers = yield* OwnershipTransfers
      const recipients = yield* Recipients
      const audit = yield* AuditTrail

      const waiting = Effect.fnUntraced(function* (
        user: CurrentUserShape,
        kind: OwnedKind,
        id: number,
        action: OwnershipAction
      ) {
        const found = yield* requests.find(kind, id)
        if (Option.isNone(found) || !mayOnRequest(user, "see", found.value)) return yield* new OwnershipChangeNotFound()
        if (!mayOnRequest(user, action, found.value)) return yield* new Forbidden({ reason: forbidden[action] })
        return found.value.state === OwnershipState.pending ? found.value : yield* decided
      })

      const give = Effect.fn("Ownership.give")(function* (
        user: CurrentUserShape,
        { id, kind, ownerAccountId }: OwnedItem,
        username: string
      ) {
        const next = yield* recipients.byUsername(username)
        if (Option.isNone(next)) return yield* new UserNotFound()
        if (next.value === ownerAccountId) {
          return yield* InvalidParameters.one("username", `Should not be the owner of the ${kind}`, "body", username)
        }
        const asked = requests.create({
          item: { kind, id },
          initiatorAccountId: user.accountId,
          ownerAccountId,
          nextOwnerAccountId: next.value
        })
        const made = yield* user.accountId === ownerAccountId
          ? asked
          : audit.act(
              user,
              (it) => (it === "made" ? entry("give", kind, { itemId: id, ownerAccountId, username }) : undefined),
              asked
            )
        switch (made) {
          case "made":
            return
          case "exists":
            return yield* new Conflict({ reason: `Somebody has already been asked to take over this ${kind}` })
          case "last":
            return yield* lastChannel
          case "changed":
            return yield* new Conflict({ reason: `The ${kind} cannot be given to this user any more` })
        }
      })

      const refuse = Effect.fn("Ownership.refuse")(function* (user: CurrentUserShape, kind: OwnedKind, id: number) {
        const request = yield* waiting(user, kind, id, "answer")
        if (!(yield* requests.refuse(kind, request, user.accountId))) return yield* decided
      })

      const withdraw = Effect.fn("Ownership.withdraw")(function* (user: CurrentUserShape, kind: OwnedKind, id: number) {
        const request = yield* waiting(user, kind, id, "withdraw")
        const withdrawn = requests.withdraw(kind, request, user.accountId)
        const done = yield* takesPart(user, request)
          ? withdrawn
          : audit.act(user, (it) => (it ? entry("withdraw", kind, { requestId: id }) : undefined), withdrawn)
        if (!done) return yield* decided
      })

      const acceptVideo = Effect.fn("Ownership.acceptVideo")(function* (
        user: CurrentUserShape,
        id: number,
        channelId: number
      ) {
        const request = yield* waiting(user, "video", id, "answer")
        const taken = yield* transfers.takeVideo(request, { userId: user.id, accountId: user.accountId }, channelId)
        if (taken === "decided") return yield* decided
        if (taken === "channel") {
          return yield* InvalidParameters.one("channelId", "Unknown channel of this account", "body", channelId)
        }
      })

      const acceptChannel = Effect.fn("Ownership.acceptChannel")(function* (user: CurrentUserShape, id: number) {
        const request = yield* waiting(user, "channel", id, "answer")
        const next = { userId: user.id, accountId: user.accountId }
        const maxChannels = config.video_channels.max_per_user
        const taken = yield* transfers.takeChannel(request, next, maxChannels)
        switch (taken) {
          case "taken":
            return
          case "decided":
            return yield* decided
          case "last":
            return yield* lastChannel
          case "full":
            return yield* new Conflict({ reason: `An account has at most ${maxChannels} channels` })
        }
      })

      return Ownership.of({ give, refuse, withdraw, acceptVideo, acceptChannel })
    })
  )
}
