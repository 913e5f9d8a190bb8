import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { type ActorHandle, parseActorHandle } from "../ids/ActorHandle.ts"
import { parseHost } from "../ids/HostName.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { pageReaders, type Sort } from "./Pagination.ts"
import { query } from "./Query.ts"
import { oneOf } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"
import { toList, toText } from "../fields/Values.ts"

/** States of a follow that lists show; one that was refused is in none. */
const shownFollowStates = ["pending", "accepted"] as const
/** Contract ActivityPubActorType. */
const actorTypes = ["Person", "Application", "Group", "Service", "Organization"] as const

const narrowing = {
  state: oneOf(shownFollowStates, "Must be pending or accepted"),
  actorType: oneOf(actorTypes, `Must be one of these: ${actorTypes.join(", ")}`),
  search: userFields.search
}

/** Contract SortableColumns.instanceFollowers. */
export const serverFollowersQuery = query({ ...pageReaders(["createdAt", "state", "score"]), ...narrowing })
/** Contract SortableColumns.instanceFollowing. */
export const serverFollowingQuery = query({ ...pageReaders(["createdAt", "redundancyAllowed", "state"]), ...narrowing })

/** A page of follows of the instance. */
export interface InstanceFollowPage {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt" | "state" | "score" | "redundancyAllowed">
  readonly state: (typeof shownFollowStates)[number] | undefined
  readonly actorType: (typeof actorTypes)[number] | undefined
  readonly search: string | undefined
}

/** Fills in the defaults: the first 15, newest first. */
export const toInstanceFollowPage = (given: Partial<InstanceFollowPage>): InstanceFollowPage => ({
  start: given.start ?? 0,
  count: given.count ?? 15,
  sort: given.sort ?? { by: "createdAt", descending: true },
  state: given.state,
  actorType: given.actorType,
  search: given.search === "" ? undefined : given.search
})

/** Reads `name@host`; undefined when it is none, or says no host. */
export const parseFullHandle = (text: string): { readonly name: string; readonly host: string } | undefined => {
  const handle = parseActorHandle(text)
  const host = handle?.host === null || handle === undefined ? undefined : parseHost(handle.host)
  return handle === undefined || host === undefined ? undefined : { name: handle.name, host }
}

/** Reads the name of another instance. */
export const hostReader: Reader<string> = {
  message: "Must be the name of a host",
  documented: { type: "string", format: "hostname" },
  parse: (input) => {
    const text = toText(input)
    return text === undefined ? undefined : parseHost(text)
  }
}

/** Path parameter that names another instance. */
export const ServerHost = field(hostReader)

const handleMessage = "Must be name@host"

/** Path parameter that names who follows the instance. */
export const FollowerHandle = field<ActorHandle>({
  message: handleMessage,
  documented: { type: "string", format: "email" },
  parse: (input) => {
    const text = toText(input)
    return text === undefined ? undefined : parseFullHandle(text)
  }
})

/** Path parameter that names what the instance follows. */
export const HostOrHandle = field<{ readonly host: string } | { readonly handle: ActorHandle }>({
  message: "Must be the name of a host, or name@host",
  documented: { type: "string" },
  parse: (input) => {
    const text = toText(input)
    if (text === undefined) return undefined
    if (text.includes("@")) {
      const handle = parseFullHandle(text)
      return handle === undefined ? undefined : { handle }
    }
    const host = parseHost(text)
    return host === undefined ? undefined : { host }
  }
})

/** Entries one request may have, of each kind. */
const mostEntries = 100

/** Texts as they were given: what is wrong with one of them is said of that one. */
const entries = (documented: { readonly [key: string]: unknown }): Reader<ReadonlyArray<string>> => ({
  message: `Must be a list of at most ${mostEntries} texts`,
  documented: { type: "array", items: documented, uniqueItems: true, maxItems: mostEntries },
  parse: (input) => {
    const list = toList(input, (item) => {
      const text = toText(item)
      return text === undefined || text.length > constraints.actor.handle.max ? undefined : text
    })
    return list === undefined || list.length > mostEntries ? undefined : list
  }
})

/** Body of `POST /server/following`. */
export const NewFollowing = Schema.Struct({
  hosts: optional(entries(hostReader.documented)),
  handles: optional(entries({ type: "string" }))
})
export type NewFollowing = typeof NewFollowing.Type
