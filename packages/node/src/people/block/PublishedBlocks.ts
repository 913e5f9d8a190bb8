import { toInstant } from "@kinora/domain/fields/Values"
import { parseHost } from "@kinora/domain/ids/HostName"
import { parseFullHandle } from "@kinora/domain/requests/FollowRequests"
import type { ListedBlock } from "@kinora/storage/people/block/SubscribedBlockRows"
import { Option, Schema } from "effect"
import { listName } from "../list/ListName.ts"

/** What an instance publishes of its blocks (contract: AutoMuteList). */
const Published = Schema.Struct({
  name: Schema.optionalKey(Schema.Unknown),
  actions: Schema.Array(Schema.Unknown)
})
const decode = Schema.decodeUnknownOption(Published)

const Action = Schema.Struct({
  type: Schema.Literals(["block", "unblock"]),
  target: Schema.String,
  createdAt: Schema.String
})
const decodeAction = Schema.decodeUnknownOption(Action)

interface Dated extends ListedBlock {
  readonly at: string
}

/** What is to be applied, and how far that goes. */
export interface PublishedBlocks {
  readonly name: string | undefined
  /** Each host and account once, as the last action on it says. */
  readonly blocks: ReadonlyArray<ListedBlock>
  /** Actions of the document, whether they can be used or not. */
  readonly actions: number
  /** The time of the last action; undefined: none says one. */
  readonly until: string | undefined
}

const targetOf = (text: string): { readonly host: string; readonly name: string } | undefined => {
  if (!text.includes("@")) {
    const host = parseHost(text)
    return host === undefined ? undefined : { host, name: "" }
  }
  const handle = parseFullHandle(text.trim())
  return handle === undefined ? undefined : { host: handle.host, name: handle.name.toLowerCase() }
}

/** One that cannot be read is left out, and so is what is about this instance: it does not block itself or its users. */
const actionOf = (given: unknown, ownHost: string): Dated | undefined => {
  const action = Option.getOrUndefined(decodeAction(given))
  const at = action && toInstant(action.createdAt)
  const target = action && targetOf(action.target)
  if (action === undefined || at === undefined || target === undefined || target.host === ownHost) return undefined
  return { ...target, blocked: action.type === "block", at }
}

/** What a document of others says; undefined: it is no list of blocks. */
export const publishedBlocks = (document: unknown, ownHost: string): PublishedBlocks | undefined => {
  const read = Option.getOrUndefined(decode(document))
  if (read === undefined) return undefined
  const dated = read.actions.flatMap((given) => actionOf(given, ownHost) ?? [])
  const last = new Map<string, Dated>()
  for (const action of dated) {
    const key = `${action.name}@${action.host}`
    const known = last.get(key)
    if (known === undefined || known.at <= action.at) last.set(key, action)
  }
  return {
    name: listName(read.name),
    blocks: [...last.values()].map(({ blocked, host, name }) => ({ host, name, blocked })),
    actions: read.actions.length,
    until: dated.reduce<string | undefined>((most, { at }) => (most === undefined || at > most ? at : most), undefined)
  }
}
