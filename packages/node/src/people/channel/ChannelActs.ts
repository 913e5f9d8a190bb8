import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { Around } from "@kinora/storage/platform/audit/Around"
import type { ChannelRow } from "@kinora/storage/people/channel/ChannelRows"
import { ChannelValueReads } from "@kinora/storage/people/channel/ChannelValueReads"
import { Context, Effect, Layer } from "effect"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { type ChannelAction, worksOnChannel } from "./ChannelRights.ts"

/** A channel and the user who changes it. */
export interface ChangedChannel {
  readonly user: CurrentUserShape
  readonly channel: ChannelRow
}

/** What is done to the channel. */
export interface ChannelAct {
  readonly action: string
  /** What it is done with, besides the channel. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The act leaves an entry even though none of the channel's values differ. */
  readonly withoutValues?: boolean
}

/**
 * Changes channels with an entry in the audit log where one is due: the owner and collaborators change what is theirs; whoever has
 * the right from their role acts as a moderator.
 */
export class ChannelActs extends Context.Service<
  ChannelActs,
  {
    /** `permission`: what the user needs for it. */
    readonly change: (changed: ChangedChannel, permission: ChannelAction, act: ChannelAct) => Around
  }
>()("@kinora/node/people/channel/ChannelActs") {
  static readonly layer = Layer.effect(
    ChannelActs,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const values = yield* ChannelValueReads

      return ChannelActs.of({
        change: ({ channel, user }, permission, { action, details, withoutValues }) =>
          worksOnChannel(user, permission, channel)
            ? unaudited
            : audit.around(user, {
                domain: "channel",
                action,
                target: { channelId: channel.id, name: channel.name, ...details },
                ...(withoutValues === true ? {} : { values: values.of(channel.id) })
              })
      })
    })
  ).pipe(Layer.provide(ChannelValueReads.layer))
}
