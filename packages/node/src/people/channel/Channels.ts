import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { type AccountNotFound, Conflict, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { VideoChannelCreate, VideoChannelUpdate } from "@kinora/domain/requests/ChannelRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type ChannelRow, ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { ChannelWrites } from "@kinora/storage/people/channel/ChannelWrites"
import { Context, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { newKeyPair } from "../user/KeyPair.ts"
import { localActor } from "../user/LocalActor.ts"
import { NameAvailability } from "../user/NameAvailability.ts"
import { ChannelActs } from "./ChannelActs.ts"
import { type ChannelAction, mayOnChannel } from "./ChannelRights.ts"

type NotAllowed = VideoChannelNotFound | Forbidden | DatabaseUnavailable

const taken = () => new Conflict({ reason: "An account or a channel of this instance has this name already" })

const tooMany = (max: number) => new BadRequest({ reason: `An account has at most ${max} channels` })

/** Channels, for those who manage them. */
export class Channels extends Context.Service<
  Channels,
  {
    /** The channel of a handle, if the user may do this to it. */
    readonly open: (
      handle: ActorHandle,
      asker: CurrentUserShape,
      action: ChannelAction
    ) => Effect.Effect<ChannelRow, NotAllowed>
    /** Creates a channel of the user, with its own keys, and returns its row id. */
    readonly create: (
      asker: CurrentUserShape,
      request: VideoChannelCreate
    ) => Effect.Effect<number, Conflict | BadRequest | AccountNotFound | DatabaseUnavailable>
    readonly update: (
      handle: ActorHandle,
      asker: CurrentUserShape,
      changes: VideoChannelUpdate
    ) => Effect.Effect<void, NotAllowed>
    /** Removes a channel with all its videos. The only channel of an account cannot be removed. */
    readonly remove: (handle: ActorHandle, asker: CurrentUserShape) => Effect.Effect<void, NotAllowed | Conflict>
  }
>()("@kinora/node/channels/Channels") {
  static readonly layer = Layer.effect(
    Channels,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const rows = yield* ChannelRows
      const writes = yield* ChannelWrites
      const names = yield* NameAvailability
      const acts = yield* ChannelActs

      const open = Effect.fn("Channels.open")(function* (
        handle: ActorHandle,
        asker: CurrentUserShape,
        action: ChannelAction
      ) {
        const channel = yield* rows.byHandle(handle)
        if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
        if (mayOnChannel(asker, action, channel.value)) return channel.value
        return yield* new Forbidden({
          reason: channel.value.isLocal
            ? `User ${asker.username} may not do this to the channel ${channel.value.name}`
            : "This channel belongs to another instance"
        })
      })

      const create = Effect.fn("Channels.create")(function* (asker: CurrentUserShape, request: VideoChannelCreate) {
        // Checked before keys are generated, which takes a while, and again when the channel is written.
        if ((yield* names.free([request.name])).size > 0) return yield* taken()
        const max = config.video_channels.max_per_user
        if ((yield* rows.countOf(asker.accountId)) >= max) return yield* tooMany(max)
        const { description = null, displayName, publicEmail = null, support = null } = request
        const actor = localActor(config.derived.origin, "Group", request.name, yield* newKeyPair)
        return yield* writes
          .create({ accountId: asker.accountId, actor, displayName, description, support, publicEmail }, max)
          .pipe(
            Effect.catchTags({
              ActorNameTaken: () => Effect.fail(taken()),
              TooManyChannels: () => Effect.fail(tooMany(max))
            })
          )
      })

      const update = Effect.fn("Channels.update")(function* (
        handle: ActorHandle,
        asker: CurrentUserShape,
        changes: VideoChannelUpdate
      ) {
        const channel = yield* open(handle, asker, "edit")
        if (Object.keys(changes).length === 0) return
        const around = acts.change({ user: asker, channel }, "edit", { action: "update" })
        const changed = yield* around(writes.update(channel.id, asker.accountId, changes))
        if (!changed) return yield* new VideoChannelNotFound()
      })

      const remove = Effect.fn("Channels.remove")(function* (handle: ActorHandle, asker: CurrentUserShape) {
        const channel = yield* open(handle, asker, "delete")
        const around = acts.change({ user: asker, channel }, "delete", { action: "delete" })
        switch (yield* around(writes.remove(channel.id))) {
          case "missing":
            return yield* new VideoChannelNotFound()
          case "last":
            return yield* new Conflict({ reason: "The only channel of an account cannot be removed" })
          case "removed":
        }
      })

      return Channels.of({ open, create, update, remove })
    })
  )
}
