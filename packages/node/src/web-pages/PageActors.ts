import type { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, type Effect } from "effect"

export type PageActor =
  | { readonly kind: "account"; readonly actor: Account }
  | { readonly kind: "channel"; readonly actor: VideoChannel }

/** `name` alone is of this instance; a `host` that is our own has been taken off. */
export interface ActorHandle {
  readonly name: string
  readonly host: string | undefined
}

/** What pages need to know of accounts and channels. */
export class PageActors extends Context.Service<
  PageActors,
  {
    /** The actor of that kind; with `any`, an account before a channel. */
    byHandle(
      handle: ActorHandle,
      kind: "account" | "channel" | "any"
    ): Effect.Effect<PageActor, ActorNotFound | DatabaseUnavailable>
    /** Whether all of them, by their ids, want what they publish to be found by search engines (FEP-5feb). */
    indexable(urls: ReadonlyArray<string>): Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageActors") {}

/** Reads `name` or `name@host`; undefined for what cannot be a handle. */
export const parseHandle = (text: string, ownHost: string): ActorHandle | undefined => {
  const match = /^([\w.:-]{1,128})(?:@([a-z0-9.:[\]-]{1,253}))?$/i.exec(text)
  if (match === null) return undefined
  const host = match[2]?.toLowerCase()
  return { name: match[1]!, host: host === ownHost.toLowerCase() ? undefined : host }
}
