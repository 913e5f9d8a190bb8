import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { IndexableActors } from "@kinora/storage/people/actor/IndexableActors"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { Effect, Layer, Option, Schema } from "effect"
import { PageActors } from "../PageActors.ts"

const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

/** Accounts and channels for pages. */
export const PageActorsLayer = Layer.effect(
  PageActors,
  Effect.gen(function* () {
    const actors = yield* Actors
    const { all } = yield* IndexableActors
    return PageActors.of({
      indexable: all,
      byHandle: Effect.fn("PageActors.byHandle")(function* (handle, kind) {
        const named = { name: handle.name, host: handle.host ?? null }
        if (kind !== "channel") {
          const account = yield* actors.account(named)
          if (Option.isSome(account)) return { kind: "account" as const, actor: parse(account.value.json) as Account }
        }
        if (kind !== "account") {
          const channel = yield* actors.channel(named)
          if (Option.isSome(channel)) {
            return { kind: "channel" as const, actor: parse(channel.value.json) as VideoChannel }
          }
        }
        return yield* new ActorNotFound()
      })
    })
  })
).pipe(Layer.provide(IndexableActors.layer))
