import type { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, type Effect } from "effect"

export type PageActor =
  | { readonly kind: "account"; readonly actor: Account }
  | { readonly kind: "channel"; readonly actor: VideoChannel }

/** A handle without `host` belongs to this instance. The parser removes our own host. */
export interface ActorHandle {
  readonly name: string
  readonly host: string | undefined
}

/** Data of accounts and channels for pages. */
export class PageActors extends Context.Service<
  PageActors,
  {
    /** The actor of that kind. With `any`, an account takes precedence over a channel. */
    byHandle(
      handle: ActorHandle,
      kind: "account" | "channel" | "any"
    ): Effect.Effect<PageActor, ActorNotFound | DatabaseUnavailable>
    /** Whether all these actors, by id, allow search engines to index their publications (FEP-5feb). */
    indexable(urls: ReadonlyArray<string>): Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageActors") {}

/** Parses `name` or `name@host`. Undefined if it cannot be a handle. */
export const parseHandle = (text: string, ownHost: string): ActorHandle | undefined => {
  const match = /^([\w.:-]{1,128})(?:@([a-z0-9.:[\]-]{1,253}))?$/i.exec(text)
  if (match === null) return undefined
  const host = match[2]?.toLowerCase()
  return { name: match[1]!, host: host === ownHost.toLowerCase() ? undefined : host }
}
