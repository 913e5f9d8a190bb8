import { CollaboratorState } from "@kinora/domain/enums/CollaboratorState"
import {
  AccountNotFound,
  CollaboratorNotFound,
  Conflict,
  VideoChannelNotFound
} from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoChannelCollaborator } from "@kinora/domain/wire/Collaborator"
import type { Json, JsonPage } from "@kinora/domain/wire/Json"
import { type ChannelRow, ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { Collaborators } from "@kinora/storage/people/collaborator/Collaborators"
import { Recipients } from "@kinora/storage/video/ownership/Recipients"
import { Context, Effect, Layer, Option } from "effect"
import { ChannelActs } from "../channel/ChannelActs.ts"
import { mayOnChannel } from "../channel/ChannelRights.ts"

/** Invited and accepted collaborators one channel may have. */
const maxCollaborators = 20

type Unreachable = VideoChannelNotFound | Forbidden | DatabaseUnavailable

const notOurs = new Forbidden({ reason: "Only those who manage a channel see its collaborators" })
const answered = new Conflict({ reason: "This invitation waits for no answer any more" })

/** Collaborators of channels. Checks the rights of the user. Channels of other instances are refused. */
export class Collaboration extends Context.Service<
  Collaboration,
  {
    /** JSON text of the list. A user who is only invited sees just their own invitation. */
    readonly list: (
      user: CurrentUserShape,
      channel: ActorHandle
    ) => Effect.Effect<JsonPage<VideoChannelCollaborator>, Unreachable>
    /** JSON text of the new collaborator. */
    readonly invite: (
      user: CurrentUserShape,
      channel: ActorHandle,
      account: ActorHandle
    ) => Effect.Effect<Json<VideoChannelCollaborator>, Unreachable | AccountNotFound | InvalidParameters | Conflict>
    /** Accepts or declines the user's own invitation. */
    readonly answer: (
      user: CurrentUserShape,
      channel: ActorHandle,
      collaboratorId: number,
      accepts: boolean
    ) => Effect.Effect<void, Unreachable | CollaboratorNotFound | Conflict>
    /** By the owner of the channel, by moderators, or by the collaborators themselves when they leave. */
    readonly remove: (
      user: CurrentUserShape,
      channel: ActorHandle,
      collaboratorId: number
    ) => Effect.Effect<void, Unreachable | CollaboratorNotFound>
  }
>()("@kinora/node/collaborators/Collaboration") {
  static readonly layer = Layer.effect(
    Collaboration,
    Effect.gen(function* () {
      const channels = yield* ChannelRows
      const rows = yield* Collaborators
      const recipients = yield* Recipients
      const acts = yield* ChannelActs

      const found = Effect.fnUntraced(function* (handle: ActorHandle) {
        const channel = yield* channels.byHandle(handle)
        return Option.isNone(channel) ? yield* new VideoChannelNotFound() : channel.value
      })

      /** A collaborator or invited user. Other users do not learn who they are. */
      const collaborator = Effect.fnUntraced(function* (user: CurrentUserShape, channel: ChannelRow, id: number) {
        const row = yield* rows.find(channel.id, id)
        const mine = Option.isSome(row) && row.value.accountId === user.accountId
        if (!mine && !mayOnChannel(user, "see", channel)) return yield* notOurs
        return Option.isNone(row) ? yield* new CollaboratorNotFound() : row.value
      })

      const list = Effect.fn("Collaboration.list")(function* (user: CurrentUserShape, handle: ActorHandle) {
        const channel = yield* found(handle)
        if (mayOnChannel(user, "see", channel)) return yield* rows.list(channel.id, null)
        if (yield* rows.knows(channel.id, user.accountId)) return yield* rows.list(channel.id, user.accountId)
        return yield* notOurs
      })

      const invite = Effect.fn("Collaboration.invite")(function* (
        user: CurrentUserShape,
        handle: ActorHandle,
        account: ActorHandle
      ) {
        const channel = yield* found(handle)
        if (!mayOnChannel(user, "invite", channel)) {
          return yield* new Forbidden({ reason: "Only the owner of a channel invites collaborators" })
        }
        const recipient = yield* recipients.byHandle(account)
        if (Option.isNone(recipient)) return yield* new AccountNotFound()
        const { accountId, canTake } = recipient.value
        if (!canTake || accountId === channel.accountId) {
          const reason = canTake ? "Should not be the owner of the channel" : "Must be a user of this instance"
          return yield* InvalidParameters.one("accountHandle", reason, "body")
        }
        const details = { accountId, account: account.name }
        const around = acts.change({ user, channel }, "invite", { action: "invite-collaborator", details })
        const invited = yield* around(rows.invite(channel.id, accountId, maxCollaborators))
        if (invited._tag === "Invited") return invited.json
        switch (invited.why) {
          case "known":
            return yield* new Conflict({ reason: "This account was invited already" })
          case "full":
            return yield* new Conflict({ reason: `A channel has at most ${maxCollaborators} collaborators` })
          case "gone":
            return yield* new Conflict({ reason: "This account cannot be invited to this channel any more" })
        }
      })

      const answer = Effect.fn("Collaboration.answer")(function* (
        user: CurrentUserShape,
        handle: ActorHandle,
        collaboratorId: number,
        accepts: boolean
      ) {
        const row = yield* collaborator(user, yield* found(handle), collaboratorId)
        if (row.accountId !== user.accountId) {
          return yield* new Forbidden({ reason: "Only the invited user may answer an invitation" })
        }
        if (row.state !== CollaboratorState.pending) return yield* answered
        if (!(yield* rows.answer(row.id, accepts))) return yield* answered
      })

      const remove = Effect.fn("Collaboration.remove")(function* (
        user: CurrentUserShape,
        handle: ActorHandle,
        collaboratorId: number
      ) {
        const channel = yield* found(handle)
        const row = yield* collaborator(user, channel, collaboratorId)
        if (row.accountId !== user.accountId && !mayOnChannel(user, "collaborators", channel)) {
          return yield* new Forbidden({ reason: "Only the owner of a channel removes its collaborators" })
        }
        const removed =
          row.accountId === user.accountId
            ? rows.remove(row.id)
            : acts.change({ user, channel }, "collaborators", {
                action: "remove-collaborator",
                details: { accountId: row.accountId }
              })(rows.remove(row.id))
        if (!(yield* removed)) return yield* new CollaboratorNotFound()
      })

      return Collaboration.of({ list, invite, answer, remove })
    })
  )
}
