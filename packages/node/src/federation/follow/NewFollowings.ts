import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { parseHost } from "@kinora/domain/ids/HostName"
import { type NewFollowing, parseFullHandle } from "@kinora/domain/requests/FollowRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Follows } from "./Follows.ts"

/** The entries read, or each that is refused by its place; one that was given before is refused as well. */
const readEntries = <A>(
  name: "hosts" | "handles",
  given: ReadonlyArray<string>,
  message: string,
  ownHost: string,
  parse: (text: string) => { readonly key: string; readonly host: string; readonly value: A } | undefined
) => {
  const seen = new Set<string>()
  const refused: Record<string, InvalidParam> = {}
  const read: Array<A> = []
  given.forEach((value, place) => {
    const entry = parse(value)
    const wrong =
      entry === undefined
        ? message
        : entry.host === ownHost
          ? "Is of this instance, which does not follow itself"
          : seen.has(entry.key)
            ? "Is there twice"
            : undefined
    if (entry === undefined || wrong !== undefined) {
      const path = `${name}[${place}]`
      refused[path] = { type: "field", msg: wrong ?? message, param: path, path, location: "body", value }
    } else {
      seen.add(entry.key)
      read.push(entry.value)
    }
  })
  return { read, refused }
}

const readFollowing = Effect.fnUntraced(function* ({ handles = [], hosts = [] }: NewFollowing, ownHost: string) {
  if (handles.length + hosts.length === 0) {
    return yield* InvalidParameters.one("hosts", "Must name a host, or a handle in handles", "body")
  }
  const named = readEntries("hosts", hosts, "Must be the name of a host", ownHost, (text) => {
    const host = parseHost(text)
    return host === undefined ? undefined : { key: host, host, value: host }
  })
  const handled = readEntries("handles", handles, "Must be name@host", ownHost, (text) => {
    const handle = parseFullHandle(text)
    return handle === undefined
      ? undefined
      : { key: `${handle.name.toLowerCase()}@${handle.host}`, host: handle.host, value: handle }
  })
  const invalidParams = { ...named.refused, ...handled.refused }
  if (Object.keys(invalidParams).length > 0) return yield* new InvalidParameters({ invalidParams })
  return { hosts: named.read, handles: handled.read }
})

/** Has the instance follow others as administrators ask for it. */
export class NewFollowings extends Context.Service<
  NewFollowings,
  {
    /** Follows all that are named, or none where one of them is refused: each is named once and is not of this instance. */
    readonly begin: (
      user: CurrentUserShape,
      following: NewFollowing
    ) => Effect.Effect<void, InvalidParameters | Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/federation/follow/NewFollowings") {
  static readonly layer = Layer.effect(
    NewFollowings,
    Effect.gen(function* () {
      const { derived, federation } = yield* KinoraConfig
      const follows = yield* Follows

      const begin = Effect.fn("NewFollowings.begin")(function* (user: CurrentUserShape, following: NewFollowing) {
        const { handles, hosts } = yield* readFollowing(following, derived.host)
        if (!federation.enabled) return yield* new Forbidden({ reason: "This instance does not federate" })
        yield* Effect.forEach(hosts, (host) => follows.followHost(user, host), { discard: true })
        yield* Effect.forEach(handles, ({ host, name }) => follows.followHandle(user, name, host), { discard: true })
      })

      return NewFollowings.of({ begin })
    })
  )
}
